import { box, type Mp4Codec } from './mp4.ts'

const described = (type: string, ...boxes: readonly string[]): Mp4Codec => ({
  type,
  boxes: boxes.map((bytes) => Buffer.from(bytes, 'base64')),
})
const avc = (description: string): Mp4Codec => described('avc1', description)

/** Descriptions that x264, libaom and FFmpeg wrote of pictures of 640x360, and an HEVC one by hand. */
export const MP4_CODECS = {
  'H.264 Baseline': avc('AAAAMWF2Y0MBQsAe/+EAGWdCwB7ZAKAv+XARAAADAAEAAAMAMg8WLkgBAAVoy4PLIA=='),
  'H.264 High': avc('AAAAN2F2Y0MBZAAe/+EAGmdkAB6s2UCgL/lwEQAAAwABAAADADIPFi2WAQAGaOvjyyLA/fj4AA=='),
  'H.264 with 10 bits': avc('AAAAOGF2Y0MBbgAe/+EAG2duAB6mzZQKAv+XARAAAAMAEAAAAwMg8WLZYAEABmjr48siwP36+gA='),
  'H.264 with 4:2:2': avc('AAAAN2F2Y0MBegAe/+EAGmd6AB682UCgL/icBEAAAAMAQAAADIPFi2WAAQAGaOvjyyLA/vj4AA=='),
  'H.264 with 4:4:4': avc('AAAAOGF2Y0MB9AAe/+EAG2f0AB6RmygUBf8TgIgAAAMACAAAAwGQeLFssAEABmjr48RIRP/4+AA='),
  'H.264 in RGB': avc('AAAAO2F2Y0MB9AAe/+EAHmf0AB6RmygUBf8TgLcCAgBAAAADAEAAAAyDxYtlgAEABmjr48siwP/4+AA='),
  HEVC: { type: 'hvc1', boxes: [box('hvcC', Buffer.from('01016000000090000000000078f000fcfdf8f800000f00', 'hex'))] },
  AV1: described('av01', 'AAAAGWF2MUOBAQwACgsAAAAMxP9nNr5AEA=='),
  VP9: described('vp09', 'AAAAFHZwY0MBAAAAABWCAgICAAA='),
  'MPEG-1': described('mp4v', 'AAAALGVzZHMAAAAAA4CAgBsAAQAEgICADWoRAAAAAA15qQANeakGgICAAQI='),
  'MPEG-2': described('mp4v', 'AAAALGVzZHMAAAAAA4CAgBsAAQAEgICADWERAAAAAA3C3QANwt0GgICAAQI='),
  'MPEG-4 part 2': described(
    'mp4v',
    'AAAAYGVzZHMAAAAAA4CAgE8AAQAEgICAQSARAAAAAAzeYAAM3mAFgICALwAAAbABAAABtYkTAAABAAAAASAAxI2IAM0UBC0UQwAAAbJMYXZjNTkuMzcuMTAwBoCAgAEC',
  ),
  'Motion JPEG': described('mp4v', 'AAAALGVzZHMAAAAAA4CAgBsAAQAEgICADWwRAAAAAB3o5gAd6OYGgICAAQI='),
  'Apple ProRes': described('apch'),
} as const satisfies Readonly<Record<string, Mp4Codec>>
