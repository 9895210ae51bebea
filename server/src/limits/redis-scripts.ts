// The scripts that count in Redis. Each runs atomically, and uses the clock of Redis.

/**
 * Counts ARGV[2] requests of a quota group (KEYS[1]) as far as the limit (ARGV[1]) allows; none if it is 0. The key is a list of
 * "time:count:total", oldest first: the last of `count` requests was at `time`, and `total` is the number of requests up to and
 * including them. Returns how many are granted, how many are used with them, the time, and when the next request passes or the
 * oldest one expires (0 when none is counted).
 */
export const TAKE_REQUESTS = `
local key, limit, wanted = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local hour = 3600000

local function entry(index)
  local text = redis.call('LINDEX', key, index)
  if not text then return nil end
  local time, count, total = text:match('^(%d+):(%d+):(%d+)$')
  return { time = tonumber(time), count = tonumber(count), total = tonumber(total) }
end
local function text(time, count, total) return string.format('%.0f:%.0f:%.0f', time, count, total) end

local newest = entry(-1)
if newest and newest.time > now then now = newest.time end
local oldest = newest and entry(0)
while oldest and oldest.time <= now - hour do
  redis.call('LPOP', key)
  oldest = entry(0)
end
local before = oldest and oldest.total - oldest.count or 0
local used = oldest and newest.total - before or 0

if used >= limit then
  local low, high = 0, redis.call('LLEN', key) - 1
  local needed = before + used - limit + 1
  if oldest.total >= needed then high = 0 end
  while low < high do
    local middle = math.floor((low + high) / 2)
    if entry(middle).total >= needed then high = middle else low = middle + 1 end
  end
  return { 0, used, now, entry(low).time + hour }
end
local granted = math.min(wanted, limit - used)
if granted == 0 then return { 0, used, now, oldest and oldest.time + hour or 0 } end

local step = limit <= 1000 and 1 or 1000
if oldest and math.floor(newest.time / step) == math.floor(now / step) then
  redis.call('LSET', key, -1, text(now, newest.count + granted, newest.total + granted))
  if used == newest.count then oldest.time = now end
else
  redis.call('RPUSH', key, text(now, granted, (oldest and newest.total or 0) + granted))
  redis.call('PEXPIRE', key, hour + 2000)
end
return { granted, used + granted, now, (oldest and oldest.time or now) + hour }
`;

/** Counts a failed credential of a client network (KEYS[1]) in a window of ARGV[1] ms. Returns the count and the rest of the window. */
export const COUNT_FAILURE = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }
`;
