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

local stored = redis.call('GET', KEYS[1])
local marks, total = {}, granted
for i, n in ipairs(stored and cmsgpack.unpack(stored) or {}) do
  if i % 2 == 1 then
    marks[#marks + 1] = math.min(n, mark) -- none is in the future, unless the clock was set back
  elseif marks[#marks] + window <= now then
    marks[#marks] = nil
  else
    marks[#marks + 1] = n
    total = total + n
  end
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
