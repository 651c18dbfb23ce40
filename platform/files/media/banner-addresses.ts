import { pageText } from '#commands/files/banner-page'
import type { BannerFile } from '#commands/files/media'
import { addressesInStyle, createAddresses, type FoundAddresses } from './addresses.ts'
import { addressesInPage } from './page-addresses.ts'
import { addressesInScript } from './script-addresses.ts'

export const isPage = ({ path }: Pick<BannerFile, 'path'>): boolean => /\.html?$/i.test(path)
const isScript = ({ path }: BannerFile): boolean => /\.js$/i.test(path)
const isStyle = ({ path }: BannerFile): boolean => /\.css$/i.test(path)

/** Bytes of a script or style that are read, and of all of them. Pages are bounded as a whole. */
const MAX_READ_BYTES = 2 * 1024 * 1024
const MAX_ALL_BYTES = 8 * 1024 * 1024

/** Where the pages and scripts of a banner lead, and what they load from other hosts. */
export function bannerAddresses(files: readonly BannerFile[]): FoundAddresses {
  const found = createAddresses()
  let left = MAX_ALL_BYTES
  const textOf = ({ bytes }: BannerFile): string => {
    const read = bytes.subarray(0, Math.min(MAX_READ_BYTES, left))
    left -= read.length
    return pageText(read)
  }
  const scripts = files.filter(isPage).flatMap(({ bytes }) => addressesInPage(pageText(bytes), found))
  for (const file of files.filter(isStyle)) addressesInStyle(textOf(file), found)
  // Together: one script opens what another one names.
  addressesInScript([...scripts, ...files.filter(isScript).map(textOf)].join('\n'), found)
  return found.found()
}
