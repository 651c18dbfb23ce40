import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import type { FileSettings, ReadFile } from '#commands/audience/read-file'
import type { BannerArchive, CleanImage, Media, MediaFault, VideoFacts } from '#commands/files/media'
import type { RefusedZip } from '#commands/files/zip-fault'
import type { RenderInvoice } from '#commands/invoice/document'
import { formatKey } from '../files/media/image-format.ts'
// Also because native code that only threads have loaded may be unloaded under them.
import { images } from '../files/media/images.ts'
import { readInThread, type ReaderOrders } from './audience-reader.ts'
import { bufferOf } from './buffers.ts'
import type { MediaOrders, Parcel } from './media-thread.ts'
import { createThreadPool, THREAD_OPTIONS, type ThreadPool } from './thread-pool.ts'
import { packed, type Sheet } from './workbook.ts'
import type { Archive } from './zip.ts'

/** One core is left to calls. */
const CORES = Math.max(1, availableParallelism() - 1)
/** Documents that are made at once. */
const DOCUMENTS_AT_ONCE = Math.min(4, CORES)
/** Uploads that are inspected at once: images are decoded by four threads of the process, which passwords and files share. */
const MEDIA_AT_ONCE = Math.min(2, CORES)
/** Audiences that one thread reads by turns, chunk by chunk. */
const AUDIENCES = 256

/** Work that would keep the event loop from answering calls. */
export type Threads = {
  /** The file of a workbook. */
  readonly workbook: (sheet: Sheet) => Promise<Buffer>
  readonly zip: (archive: Archive) => Promise<Buffer>
  readonly invoice: RenderInvoice
  /** The same as `readAudienceFile`. */
  readonly readAudience: (chunks: AsyncIterable<Buffer>, settings: FileSettings) => Promise<ReadFile>
  /** Inspection of uploaded files. */
  readonly media: Media
}

/**
 * Threads of this process, started when they are needed. Accounts have their turns: one with many files delays another by one at
 * most. Uploads never wait for documents, which take longer.
 */
export function createThreads(): Threads & { readonly close: () => Promise<void> } {
  const documents = createThreadPool(DOCUMENTS_AT_ONCE)
  const media = createThreadPool(MEDIA_AT_ONCE)
  const audiences = new Piscina({ ...THREAD_OPTIONS, maxThreads: 1, concurrentTasksPerWorker: AUDIENCES })

  return {
    workbook: async (sheet) => bufferOf(await documents.run<Uint8Array>('workbook', await packed(sheet), true)),
    zip: async (archive) => bufferOf(await documents.run<Uint8Array>('zip', archive, true)),
    invoice: async (document) => bufferOf(await documents.run<Uint8Array>('invoice', document, true)),
    readAudience: (chunks, settings) =>
      readInThread(chunks, settings, (orders: ReaderOrders) =>
        audiences.run(orders, { name: 'audience', transferList: [orders.port] }),
      ),
    media: mediaOf(media),
    close: async () => void (await Promise.all([documents.close(), media.close(), audiences.destroy()])),
  }
}

function mediaOf({ run }: ThreadPool): Media {
  const inspected = <T>(orders: MediaOrders): Promise<T> => run<T>('media', orders, false)
  type Drawn = { readonly bytes: Uint8Array; readonly contentType: string }
  const drawn = ({ bytes, contentType }: Drawn) => ({ bytes: bufferOf(bytes), contentType })
  return {
    images: {
      async inspect(bytes) {
        const image = await inspected<CleanImage | MediaFault | null>({ name: 'inspect', args: [bytes] })
        return image === null || 'fault' in image ? image : { ...image, bytes: bufferOf(image.bytes) }
      },
      resize: async (bytes, width, height) => drawn(await inspected<Drawn>({ name: 'resize', args: [bytes, width, height] })),
      square: async (bytes, from, side) => drawn(await inspected<Drawn>({ name: 'square', args: [bytes, from, side] })),
      async flat(bytes, box) {
        const image = await inspected<Uint8Array | null>({ name: 'flat', args: [bytes, box] })
        return image && bufferOf(image)
      },
      // The product's own, for the demo.
      draw: images.draw,
    },
    sound: (bytes) => inspected<{ readonly seconds: number } | null>({ name: 'sound', args: [bytes] }),
    film: (bytes) => inspected<VideoFacts | MediaFault | null>({ name: 'film', args: [bytes] }),
    formatKey,
    async archive(bytes) {
      const found = await inspected<Parcel | RefusedZip>({ name: 'archive', args: [bytes] })
      return 'fault' in found ? found : unpacked(found)
    },
  }
}

function unpacked({ content, files, ...found }: Parcel): BannerArchive {
  const all = bufferOf(content)
  return { ...found, files: files.map(({ path, from, to }) => ({ path, bytes: all.subarray(from, to) })) }
}
