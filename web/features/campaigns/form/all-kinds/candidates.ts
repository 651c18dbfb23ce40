import { MOST_FILES } from '@/components/upload/dropped-files'
import { contentsOf, digestOf } from '@/features/campaigns/form/creatives/known-contents'
import { PLACE, PLACES, type PlaceKey } from '@/features/campaigns/form/creatives/places'
import type { CampaignFormValues } from '@/features/campaigns/form/form-schema'
import { nameFromFile } from '@/features/campaigns/form/tabs/banner/banner-check'
import { recognise, type Recognised } from './recognise.ts'
import type { Candidate } from './sort-files.ts'

export type Dropped = { readonly file: File; readonly found: Recognised; readonly candidate: Candidate }

/** Reads dropped files one after the other, so that many large ones are not in memory at once. */
export async function readFiles(files: readonly File[], values: CampaignFormValues, audio: boolean): Promise<readonly Dropped[]> {
  const all: Dropped[] = []
  for (const [id, file] of files.slice(0, MOST_FILES).entries()) {
    const found = await recognise(file, audio)
    const { fits, reason } = found
    const content = fits.length === 0 ? null : await digestOf(file)
    all.push({ file, found, candidate: { id, fits, reason, content, alike: isAlike(file, found, values) } })
  }
  return all
}

/** A stored creative with the name and size that this file would get. Its content cannot be compared without loading it. */
function isAlike({ name }: File, { banner }: Recognised, { banners, tracks }: CampaignFormValues): boolean {
  const creativeName = nameFromFile(name)
  const isBanner = banners.some(
    (one) => one.creativeName === creativeName && one.width === banner?.width && one.height === banner.height,
  )
  return isBanner || tracks.tracks.some((track) => track.name === name)
}

/** The digests of contents that the campaign has, or that are on their way. */
export function contentsThere(uploads: object, values: CampaignFormValues): ReadonlySet<string> {
  const used = new Set(PLACES.flatMap((key) => PLACE[key].files(values)))
  return new Set([...contentsOf(uploads)].flatMap(([content, id]) => (id === null || used.has(id) ? [content] : [])))
}

/** The room of every place. */
export const roomOf = (values: CampaignFormValues): Readonly<Record<PlaceKey, number>> => ({
  banner: PLACE.banner.room(values),
  responsiveImage: PLACE.responsiveImage.room(values),
  responsiveLogo: PLACE.responsiveLogo.room(values),
  nativeLandscape: PLACE.nativeLandscape.room(values),
  nativeSquare: PLACE.nativeSquare.room(values),
  nativeLogo: PLACE.nativeLogo.room(values),
  nativeVideo: PLACE.nativeVideo.room(values),
  video: PLACE.video.room(values),
  companion: PLACE.companion.room(values),
  track: PLACE.track.room(values),
})
