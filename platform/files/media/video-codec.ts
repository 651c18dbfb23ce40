import type { VideoTrack } from 'mediainfo.js'

/** Names that people know, by the parser's. */
const NAMES: Readonly<Record<string, string>> = {
  AVC: 'H.264',
  HEVC: 'HEVC (H.265)',
  VVC: 'VVC (H.266)',
  'MPEG-4 Visual': 'MPEG-4 part 2',
  JPEG: 'Motion JPEG',
}
const PLAYED = new Set(['AVC', 'VP8', 'VP9', 'AV1'])

type Coded = Pick<VideoTrack, 'Format' | 'Format_Version' | 'Format_Profile' | 'ChromaSubsampling' | 'BitDepth' | 'ColorSpace'>

/** The name of what browsers and exchanges do not play of a video, such as `H.264 4:4:4`; null when they play it. */
export function unplayable(track: Coded): string | null {
  const { Format: format = 'this codec', Format_Version: version } = track
  const name = format === 'MPEG Video' ? `MPEG-${version ?? 1}` : (NAMES[format] ?? format)
  if (!PLAYED.has(format)) return name
  const detail = DETAILS.map((read) => read(track)).find((found) => found !== null)
  return detail === undefined ? null : `${name} ${detail}`
}

/** Colours and depths beside 4:2:0 with 8 bits. The parser does not find each of them in every file. */
const DETAILS: readonly ((track: Coded) => string | null)[] = [
  ({ ChromaSubsampling: chroma }) => (chroma === undefined || chroma === '4:2:0' ? null : chroma),
  ({ BitDepth: bits }) => (bits === undefined || bits <= 8 ? null : `${bits} bit`),
  ({ Format, ColorSpace }) => (Format === 'AVC' && ColorSpace === 'RGB' ? 'RGB' : null),
  ({ Format, Format_Profile: profile }) => (Format === 'VP9' && profile === '1' ? '4:4:4' : null),
]
