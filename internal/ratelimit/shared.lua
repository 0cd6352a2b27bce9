-- One client's budget, which all nodes share: at most limit requests in any window. It answers one node's question
-- with what it grants, and with how long the client has to wait when nothing is left.
--
-- KEYS[1] is the client. ARGV: the node's name; how many requests it let through since it asked last (used), how many
-- granted ones it still holds (keep), how many wait (need), how many more it would like to hold (ahead); the limit;
-- tick, window and lease in microseconds, which are the unit of all times.
--
-- Stored are marks, {at, count, at, count, ...} with the oldest first, their sum, and leases, {node, count, until, ...}:
-- what a node may still let through. A lease counts as if all of it were used at its end, until its node says what was.
local node = ARGV[1]
local used, keep, need, ahead = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local limit, tick, window, lease = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])

local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local mark = now + (-now) % tick -- the end of this tick: no request counts for less than a window

local total, marks, leases = 0, {}, {}
local stored = redis.call('GET', KEYS[1])
if stored then
  total, marks, leases = cmsgpack.unpack(stored)
end
local changed = used + keep > 0

-- No time is in the future, unless the clock was set back.
local n = #marks
if n > 0 and marks[n - 1] > mark then
  for i = 1, n, 2 do
    marks[i] = math.min(marks[i], mark)
  end
  changed = true
end
for i = 1, #leases, 3 do
  if leases[i + 2] > now + lease then
    leases[i + 2] = now + lease
    changed = true
  end
end

-- Forget what is a window old, and what the node held.
local first = 1
while first < n and marks[first] + window <= now do
  total = total - marks[first + 1]
  first = first + 2
end
if first > 1 then
  marks = {unpack(marks, first)}
end
local others, held, unsettled = {}, 0, false
for i = 1, #leases, 3 do
  local ends = leases[i + 2]
  if leases[i] == node then
    changed = true
  elseif ends + window > now then
    others[#others + 1], others[#others + 2], others[#others + 3] = leases[i], leases[i + 1], ends
    held = held + leases[i + 1]
    unsettled = unsettled or ends + lease > now -- some of it may come back
  end
end

-- What the node let through counts from now on. A client has at most 512 marks: no limit needs more.
if used > 0 then
  n = #marks
  if n > 0 and (marks[n - 1] == mark or n >= 1024) then
    marks[n - 1], marks[n] = mark, marks[n] + used
  else
    marks[n + 1], marks[n + 2] = mark, used
  end
  total = total + used
end

-- Those that wait get what is left; what is held ahead is an eighth of the rest, so that one node leaves enough to the
-- others, and nothing near the limit.
local free = math.max(limit - total - held - keep, 0)
local granted = math.min(need, free)
granted = granted + math.min(ahead, math.floor((free - granted) / 8))
if keep + granted > 0 then
  n = #others
  others[n + 1], others[n + 2], others[n + 3] = node, keep + granted, now + lease
  held = held + keep + granted
end

-- How long until one request is free: until enough is a window old, or, to be asked again, until leases are settled.
local wait, again = 0, 0
if total + held >= limit then
  local order = marks
  if held > 0 then
    order = {unpack(marks)}
  end
  for i = 1, #others, 3 do
    local at = #order + 1
    while at > 1 and order[at - 2] > others[i + 2] do
      order[at], order[at + 1] = order[at - 2], order[at - 1]
      at = at - 2
    end
    order[at], order[at + 1] = others[i + 2], others[i + 1]
  end
  local excess, oldest = total + held - limit + 1, 1
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

if total + held == 0 then
  redis.call('DEL', KEYS[1])
elseif changed or granted > 0 then
  redis.call('SET', KEYS[1], cmsgpack.pack(total, marks, others), 'PX', math.ceil((window + tick + lease) / 1000))
end
return {granted, wait, again}
