import type { Metadata } from 'sharp'

/** Whether an image shows the same colours without its profile: eight bits, grey or RGB, and no profile but sRGB's. */
export const isPlainSrgb = ({ depth, space, icc }: Pick<Metadata, 'depth' | 'space' | 'icc'>): boolean =>
  depth === 'uchar' && (space === 'srgb' || space === 'b-w') && (icc === undefined || descriptionOf(icc).includes('sRGB'))

const TAGS = 128

/** The name of a colour profile, from ASCII or UTF-16; empty when there is none. */
function descriptionOf(profile: Buffer): string {
  if (profile.length < TAGS + 4) return ''
  const count = Math.min(profile.readUInt32BE(TAGS), (profile.length - TAGS - 4) / 12)
  for (let at = TAGS + 4; at + 12 <= TAGS + 4 + count * 12; at += 12) {
    if (profile.toString('latin1', at, at + 4) !== 'desc') continue
    const start = profile.readUInt32BE(at + 4)
    return profile.toString('latin1', start, start + profile.readUInt32BE(at + 8)).replaceAll('\0', '')
  }
  return ''
}
