export type Size = { readonly width: number; readonly height: number }

/** Returns width and height of an image file; null when it cannot be decoded. */
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

/** Timeout for reading video metadata. After it, the server decides. */
const TIMEOUT_MS = 3000

/** Returns width and height of a video file; null when this browser cannot play it and only the server can decide. */
export function measureVideo(file: File): Promise<Size | null> {
  const url = URL.createObjectURL(file)
  const video = document.createElement('video')
  return new Promise<Size | null>((resolve) => {
    const measured = () => resolve(video.videoWidth === 0 ? null : { width: video.videoWidth, height: video.videoHeight })
    video.addEventListener('loadedmetadata', measured)
    video.addEventListener('error', () => resolve(null))
    setTimeout(() => resolve(null), TIMEOUT_MS)
    video.preload = 'metadata'
    video.src = url
  }).finally(() => {
    video.removeAttribute('src')
    URL.revokeObjectURL(url)
  })
}
