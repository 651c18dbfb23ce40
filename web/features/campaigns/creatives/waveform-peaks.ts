/** Sound that is decoded at most: bytes of the file, and seconds. Tracks have 30 seconds. */
export const MOST_BYTES = 20_971_520
export const MOST_SECONDS = 60
/** Bars of a waveform. */
export const BARS = 120
/** Enough for the shape of a sound, and a sixth of the memory that its full rate takes. */
const SAMPLE_RATE = 8000

/** The loudest sample of each of `count` equal parts, relative to the loudest of all: between 0 and 1. */
export function peaksOf(samples: ArrayLike<number>, count = BARS): readonly number[] {
  const peaks = Array.from({ length: count }, () => 0)
  for (let at = 0; at < samples.length; at += 1) {
    const part = Math.floor((at * count) / samples.length)
    peaks[part] = Math.max(peaks[part] ?? 0, Math.abs(samples[at] ?? 0))
  }
  const loudest = Math.max(...peaks)
  return loudest === 0 ? peaks : peaks.map((peak) => peak / loudest)
}

/** Loads and decodes a sound. The browser decodes outside the page's thread. Throws for sound beyond the bounds, or that it cannot decode. */
export async function loadPeaks(url: string, signal: AbortSignal): Promise<readonly number[]> {
  const answer = await fetch(url, { signal })
  if (!answer.ok) throw new Error(`the sound was not loaded: ${answer.status}`)
  if (Number(answer.headers.get('Content-Length') ?? 0) > MOST_BYTES) throw new Error('the sound is too large for a waveform')
  const bytes = await answer.arrayBuffer()
  if (bytes.byteLength > MOST_BYTES) throw new Error('the sound is too large for a waveform')
  const sound = await new OfflineAudioContext(1, 1, SAMPLE_RATE).decodeAudioData(bytes)
  if (sound.duration > MOST_SECONDS) throw new Error('the sound is too long for a waveform')
  return peaksOf(sound.getChannelData(0))
}
