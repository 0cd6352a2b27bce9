-- Holds one of a number of places for a window, on all nodes, and returns 0, or how long it takes
-- until one is free.
--
-- KEYS[1] has the places. ARGV: the name of the one to hold, how many there are, and the window in
-- microseconds, the unit of all times here. Stored are names by when they were held.
local name, limit, window = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]

-- Others may have written anything under the key: another type, or times that never pass.
local type = redis.call('TYPE', KEYS[1]).ok
if type ~= 'zset' and type ~= 'none' then
  redis.call('DEL', KEYS[1])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + window, '+inf')
if redis.call('ZCARD', KEYS[1]) >= limit then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return math.min(oldest[2] + window - now, window) -- unless the clock was set back
end
redis.call('ZADD', KEYS[1], now, name)
redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
return 0
