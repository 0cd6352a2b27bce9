-- One client's budget, which all nodes share: at most limit requests in any window. It answers one node's question
-- with what it grants, and with how long the client has to wait when nothing is left.
--
-- KEYS[1] is the client. ARGV: the node's name; how many requests it let through since it asked last (used), how many
-- granted ones it still holds (keep), how many wait (need), how many more it would like to hold (ahead); the limit;
-- tick, window and lease in microseconds, which are the unit of all times.
--
-- Stored are marks, {at, count, at, count, ...} with the oldest first, and leases, {node, count, until, ...}: what a node
-- may still let through. A lease counts as if all of it were used at its end, until its node says what was.
local node = ARGV[1]
local used, keep, need, ahead = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local limit, tick, window, lease = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])

local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local mark = now + (-now) % tick -- the end of this tick: no request counts for less than a window

local marks, leases = {}, {}
local stored = redis.call('GET', KEYS[1])
if stored then
  marks, leases = cmsgpack.unpack(stored)
end

-- Forget what is a window old. No time is in the future, unless the clock was set back.
local counted, total = {}, 0
for i = 1, #marks, 2 do
  local at = math.min(marks[i], mark)
  if at + window > now then
    counted[#counted + 1] = at
    counted[#counted + 1] = marks[i + 1]
    total = total + marks[i + 1]
  end
end
local others, unsettled = {}, false
for i = 1, #leases, 3 do
  local ends = math.min(leases[i + 2], now + lease)
  if leases[i] ~= node and ends + window > now then
    others[#others + 1] = leases[i]
    others[#others + 1] = leases[i + 1]
    others[#others + 1] = ends
    total = total + leases[i + 1]
    unsettled = unsettled or ends + lease > now -- some of it may come back
  end
end

-- What the node let through counts from now on. A client has at most 512 marks: no limit needs more.
if used > 0 then
  local n = #counted
  if n > 0 and (counted[n - 1] == mark or n >= 1024) then
    counted[n - 1], counted[n] = mark, counted[n] + used
  else
    counted[n + 1], counted[n + 2] = mark, used
  end
end
total = total + used + keep

-- Those that wait get what is left; what is held ahead is an eighth of the rest, so that one node leaves enough to the
-- others, and nothing near the limit.
local free = math.max(limit - total, 0)
local granted = math.min(need, free)
granted = granted + math.min(ahead, math.floor((free - granted) / 8))
total = total + granted
if keep + granted > 0 then
  local n = #others
  others[n + 1], others[n + 2], others[n + 3] = node, keep + granted, now + lease
end

-- How long until one request is free: until enough is a window old, or, to be asked again, until leases are settled.
local wait, again = 0, 0
if total >= limit then
  local order = {unpack(counted)}
  for i = 1, #others, 3 do
    local at = #order + 1
    while at > 1 and order[at - 2] > others[i + 2] do
      order[at], order[at + 1] = order[at - 2], order[at - 1]
      at = at - 2
    end
    order[at], order[at + 1] = others[i + 2], others[i + 1]
  end
  local excess, oldest = total - limit + 1, 1
  while order[oldest + 1] < excess do
    excess = excess - order[oldest + 1]
    oldest = oldest + 2
  end
  wait = order[oldest] + window - now
  again = wait
  if unsettled then
    again = math.min(wait, lease)
  end
end

if total > 0 then
  redis.call('SET', KEYS[1], cmsgpack.pack(counted, others), 'PX', math.ceil((window + tick + lease) / 1000))
elseif stored then
  redis.call('DEL', KEYS[1])
end
return {granted, wait, again}
