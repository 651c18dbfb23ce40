import { move, transferableSymbol, valueSymbol } from 'piscina'
import type { BannerArchive, Images } from '#commands/files/media'
import { inspectBannerZip, type BannerZip } from '../files/media/archive.ts'
import { inspectMp3 } from '../files/media/audio.ts'
import { images } from '../files/media/images.ts'
import { createVideoInspector } from '../files/media/video.ts'
import { bufferOf } from './buffers.ts'

type ArgsOf<Name extends keyof Images> = Parameters<Images[Name]>

/** An inspection of a file. Between threads its bytes become a `Uint8Array`. */
export type MediaOrders =
  | { readonly name: 'inspect'; readonly args: ArgsOf<'inspect'> }
  | { readonly name: 'resize'; readonly args: ArgsOf<'resize'> }
  | { readonly name: 'square'; readonly args: ArgsOf<'square'> }
  | { readonly name: 'flat'; readonly args: ArgsOf<'flat'> }
  | { readonly name: 'sound' | 'film' | 'archive'; readonly args: readonly [Buffer] }

const films = createVideoInspector()

export async function inspectMedia({ name, args }: MediaOrders): Promise<unknown> {
  const bytes = bufferOf(args[0])
  switch (name) {
    case 'inspect':
      return images.inspect(bytes)
    case 'resize':
      return images.resize(bytes, args[1], args[2])
    case 'square':
      return images.square(bytes, args[1], args[2])
    case 'flat':
      return images.flat(bytes, args[1])
    case 'sound':
      return inspectMp3(bytes)
    case 'film':
      return films.inspect(bytes)
    case 'archive': {
      const found = await inspectBannerZip(bytes)
      return 'fault' in found ? found : moved(parcelOf(found))
    }
  }
}

/** The files of a banner in one piece of memory. */
export type Parcel = Omit<BannerArchive, 'files'> & {
  readonly content: Uint8Array<ArrayBuffer>
  readonly files: readonly { readonly path: string; readonly from: number; readonly to: number }[]
}

function parcelOf({ files, unpackedBytes, ...found }: BannerZip): Parcel {
  const content = new Uint8Array(unpackedBytes)
  let at = 0
  const placed = files.map(({ path, bytes }) => {
    const from = at
    content.set(bytes, from)
    at += bytes.length
    return { path, from, to: at }
  })
  return { ...found, content, files: placed }
}

/** Goes to the other thread without being copied. */
const moved = (parcel: Parcel): unknown => move({ [transferableSymbol]: parcel.content.buffer, [valueSymbol]: parcel })
