import type { Size } from './media-check.ts'

/** Width and height of an image file; null when it cannot be read as one. */
export async function measureImage(file: File): Promise<Size | null> {
  try {
    const bitmap = await createImageBitmap(file)
    const size = { width: bitmap.width, height: bitmap.height }
    bitmap.close()
    return size
  } catch {
    return null
  }
}

/** A film whose head takes longer than this to read is left to the server. */
const PATIENCE_MS = 3000

/** Width and height of a video file; null where this browser cannot play it, and only the server can tell. */
export function measureVideo(file: File): Promise<Size | null> {
  const url = URL.createObjectURL(file)
  const video = document.createElement('video')
  return new Promise<Size | null>((resolve) => {
    const measured = () => resolve(video.videoWidth === 0 ? null : { width: video.videoWidth, height: video.videoHeight })
    video.addEventListener('loadedmetadata', measured)
    video.addEventListener('error', () => resolve(null))
    setTimeout(() => resolve(null), PATIENCE_MS)
    video.preload = 'metadata'
    video.src = url
  }).finally(() => {
    video.removeAttribute('src')
    URL.revokeObjectURL(url)
  })
}
