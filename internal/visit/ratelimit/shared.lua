-- Counts requests of one client, which all nodes share, and returns how long the client has to wait
-- for the next one, or 0.
--
-- KEYS[1] is the client. ARGV: how many requests a node granted since it told us last, the limit,
-- and tick and window in microseconds, the unit of all times here. Stored are marks, {end, count,
-- end, count, ...}, the oldest first: what was granted in each tick, and when that tick ended.
local granted, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local tick, window = tonumber(ARGV[3]), tonumber(ARGV[4])
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local mark = now + (-now) % tick -- the end of this tick: no request counts for less than a window

-- Others may have written anything under the key. What is not ours is replaced, for an error would
-- end the limits of all clients.
local function read()
  local kept, sum = {}, granted
  local stored = redis.call('GET', KEYS[1])
  local old = stored and cmsgpack.unpack(stored) or {}
  assert(#old % 2 == 0 and #old <= 1024)
  for i = 1, #old, 2 do
    local ended, n = old[i], old[i + 1]
    assert(ended >= 0 and ended < 2 ^ 53 and n >= 0 and n < 2 ^ 40 and n % 1 == 0)
    ended = math.min(ended, mark) -- none is in the future, unless the clock was set back
    if ended + window > now then
      kept[#kept + 1], kept[#kept + 2] = ended, n
      sum = sum + n
    end
  end
  return kept, sum
end
local ours, marks, total = pcall(read)
if not ours then
  marks, total = {}, granted
end

-- A client has at most 512 marks: no limit needs more.
local n = #marks
if n > 0 and (marks[n - 1] == mark or n >= 1024) then
  marks[n - 1], marks[n] = mark, marks[n] + granted
else
  marks[n + 1], marks[n + 2] = mark, granted
end
redis.call('SET', KEYS[1], cmsgpack.pack(marks), 'PX', math.ceil((window + tick) / 1000))

-- The next request is granted when so many are a window old that fewer than the limit are left.
local wait, i = 0, 1
while total >= limit do
  wait = marks[i] + window - now
  total = total - marks[i + 1]
  i = i + 2
end
return wait
