import type { Media } from '#commands/files/media'
import { createImages } from './images.ts'
import { inspectBannerZip } from './archive.ts'
import { inspectMp3 } from './audio.ts'
import { formatKey } from './image-format.ts'
import { createVideoInspector } from './video.ts'

/** Inspection of uploaded files. */
export function createMedia(): Media & { readonly close: () => Promise<void> } {
  const video = createVideoInspector()
  return {
    images: createImages(),
    sound: inspectMp3,
    film: (bytes) => video.inspect(bytes),
    formatKey,
    archive: inspectBannerZip,
    close: () => video.close(),
  }
}
