import { skipToken, useQuery } from '@tanstack/react-query'
import { withoutToken } from '#domain/campaign/content/file-addresses'

const MOST_PIXELS = 640
const QUALITY = 0.8

/** The current frame as a JPEG in a data URL; null when the browser may not read it. */
function frameOf(video: HTMLVideoElement): string | null {
  const canvas = document.createElement('canvas')
  const scale = Math.min(1, MOST_PIXELS / Math.max(video.videoWidth, video.videoHeight, 1))
  canvas.width = Math.round(video.videoWidth * scale)
  canvas.height = Math.round(video.videoHeight * scale)
  try {
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
    return canvas.toDataURL('image/jpeg', QUALITY)
  } catch {
    return null
  }
}

/** Draws a frame of a video from shortly after its beginning, which is often black. Null when this browser cannot play it. */
export function drawPoster(url: string, signal: AbortSignal): Promise<string | null> {
  const video = document.createElement('video')
  return new Promise<string | null>((resolve) => {
    video.addEventListener('loadedmetadata', () => {
      video.currentTime = Number.isFinite(video.duration) ? Math.min(1, video.duration / 3) : 0
    })
    video.addEventListener('seeked', () => resolve(frameOf(video)))
    video.addEventListener('error', () => resolve(null))
    signal.addEventListener('abort', () => resolve(null))
    // Files may have an origin of their own.
    video.crossOrigin = 'anonymous'
    video.muted = true
    video.preload = 'metadata'
    video.src = url
  }).finally(() => video.removeAttribute('src'))
}

/** The poster of a video, drawn once. Undefined until it is there, and where there is none. */
export function usePoster(url: string | null): string | undefined {
  const { data } = useQuery({
    queryKey: ['video-poster', url === null ? null : withoutToken(url)],
    staleTime: Infinity,
    retry: false,
    queryFn: url === null ? skipToken : ({ signal }) => drawPoster(url, signal),
  })
  return data ?? undefined
}
