-- The requests of wrk. Arguments: mode, number of links, seed, alphabet, multiplier, token. codeOf
-- in links.go computes a code from its number.
--   known    links, from a table of ready requests
--   steady   the same, 20,000 a second
--   alias    the same by their aliases
--   regular  the same from behind a proxy, with a campaign: each time one visitor's
--   flood    as regular, each from another address, with a user agent, language and campaign of its
--            own
--   any      links, too many for a table
--   each     one link after the other; "each alias" by its alias
--   zipf     the same, the n-th as often as 1/n says (s = 1.0)
--   unknown  8 characters at random: links have 7, so each is new
--   create   a new link
--   seldom   the same, each caller at most each 20 ms
--   limited  the 1,000 links behind the others, as seldom

local random, floor = math.random, math.floor
local pick

local function request_of(code)
  return "GET /" .. code .. " HTTP/1.1\r\nHost: bench\r\n\r\n"
end

-- All visits have the same shape: flood and regular differ only in which values are new.
local function visit_of(code, campaign, address, version, language)
  return "GET /" .. code .. "?utm_campaign=" .. campaign .. " HTTP/1.1\r\nHost: bench\r\n" ..
    "X-Forwarded-For: " .. address .. "\r\nUser-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; " ..
    "x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" .. version .. " Safari/537.36\r\n" ..
    "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\nAccept-Language: " .. language ..
    ",en;q=0.9\r\n\r\n"
end

-- The delay after which requests, one each so many µs, make up for those that came late.
local function paced(step)
  local ffi = require("ffi")
  ffi.cdef("struct clock { long s, ns; }; int clock_gettime(int, struct clock *);")
  local clock, due = ffi.new("struct clock"), nil
  return function()
    ffi.C.clock_gettime(1, clock) -- CLOCK_MONOTONIC
    local now = tonumber(clock.s) * 1e6 + tonumber(clock.ns) / 1e3
    due = (due or now) + step
    return math.max(0, floor((due - now) / 1e3))
  end
end

-- Always nine digits.
local function nine_digits() return random(1e8, 1e9 - 1) end

local function address()
  return random(100, 199) .. "." .. random(10, 99) .. "." .. random(100, 255) .. "." ..
    random(100, 255)
end

local function creation_of(i, token)
  local body = '{"original_url":"https://example.com/some/longer/path/of/a/page?article=' .. i ..
    '"}'
  return "POST /api/urls HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer " .. token ..
    "\r\nContent-Length: " .. #body .. "\r\n\r\n" .. body
end

function init(args)
  local mode, links, multiplier, token = args[1], tonumber(args[2]), tonumber(args[5]), args[6]
  math.randomseed(tonumber(args[3]))

  local one, two = {}, {} -- a character, two characters, by their value
  for c in args[4]:gmatch(".") do one[#one + 1] = c end
  for i = 0, 62 * 62 - 1 do two[i] = one[floor(i / 62) + 1] .. one[i % 62 + 1] end

  local function code(i)
    local v = i * multiplier % 62 ^ 7 -- exact: below 2^53
    local a = v % 3844; v = floor(v / 3844)
    local b = v % 3844; v = floor(v / 3844)
    local c = v % 3844
    return one[floor(v / 3844) + 1] .. two[c] .. two[b] .. two[a]
  end

  if mode == "known" or mode == "steady" or mode == "alias" then
    local ready, before = {}, mode == "alias" and "docs/" or ""
    for i = 1, links do ready[i] = request_of(before .. code(i)) end
    pick = function() return ready[random(links)] end
  elseif mode == "flood" then
    pick = function()
      return visit_of(code(random(links)), nine_digits(), address(), nine_digits(),
        two[random(3844) - 1])
    end
  elseif mode == "regular" then
    pick = function()
      return visit_of(code(random(links)), "123456789", "185.21.132.117", "120.0.0.0", "en")
    end
  elseif mode == "any" then
    pick = function() return request_of(code(random(links))) end
  elseif mode == "each" or mode == "each alias" then
    local last, before = 0, mode == "each" and "" or "docs/"
    pick = function() last = last % links + 1; return request_of(before .. code(last)) end
  elseif mode == "zipf" then -- the inverse of its distribution, which is the logarithm's
    pick = function() return request_of(code(floor((links + 1) ^ random()))) end
  elseif mode == "limited" then
    pick = function() return request_of(code(links + random(1000))) end
  elseif mode == "create" or mode == "seldom" then
    pick = function() return creation_of(random(links), token) end
  else
    pick = function()
      local function pair() return two[random(3844) - 1] end
      return request_of(pair() .. pair() .. pair() .. pair())
    end
  end
  if mode == "steady" then delay = paced(50) end
  if mode == "seldom" or mode == "limited" then delay = function() return 20 end end
end

function request() return pick() end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.status,
    e.connect + e.read + e.write, e.timeout))
end
