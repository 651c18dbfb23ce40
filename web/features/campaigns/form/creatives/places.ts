import type { UseFormReturn } from 'react-hook-form'
import { uploadAudio, uploadBanner, uploadImage, uploadNative, uploadVideo } from '#contract/files'
import type { FileRole } from '#domain/campaign/content/creatives'
import { COMPANION, ICON, LANDSCAPE, SQUARE } from '#domain/campaign/content/media-rules'
import type { CampaignFormValues } from '../form-schema.ts'
import { nameFromFile } from '@/features/campaigns/form/tabs/banner/banner-check'
import { isSquare } from '@/features/campaigns/form/tabs/native/native-slice'
import { MAX_TRACKS, type TrackValue } from '@/features/campaigns/form/tabs/tracks/tracks-slice'
import type { Size } from './measure.ts'
import type { StoredFile } from '#contract/files'
import type { MediaEndpoint } from './use-media-send.ts'

/** Every place of a campaign that takes a file. */
export const PLACES = [
  'banner',
  'responsiveImage',
  'responsiveLogo',
  'nativeLandscape',
  'nativeSquare',
  'nativeLogo',
  'nativeVideo',
  'video',
  'companion',
  'track',
] as const
export type PlaceKey = (typeof PLACES)[number]

export type PlacedFile = Pick<StoredFile, 'file_id' | 'file_url' | 'name' | 'size' | 'width' | 'height' | 'duration'>
type Form = Pick<UseFormReturn<CampaignFormValues>, 'getValues' | 'setValue'>

export type Place = {
  /** Role that its files must fit. */
  readonly role: FileRole
  readonly endpoint: MediaEndpoint
  /** The exact size; null where several are allowed. */
  readonly size: Size | null
  /** Number of files that the place still takes. */
  readonly room: (values: CampaignFormValues) => number
  /** The ids of its files. */
  readonly files: (values: CampaignFormValues) => readonly (string | null)[]
  readonly put: (form: Form, file: PlacedFile) => void
  /** Takes a file out again. */
  readonly remove: (form: Form, fileId: string) => void
}

const CHANGE = { shouldDirty: true, shouldValidate: true }
const one = (taken: boolean) => (taken ? 0 : 1)

export const trackOf = ({ file_id, file_url, name, size }: PlacedFile): TrackValue => ({
  id: null,
  fileId: file_id,
  name,
  url: file_url,
  size: Math.round((size / 1_048_576) * 100) / 100,
  extension: 'mp3',
})

const responsive = (role: FileRole, list: 'images' | 'logos', size: Size | null): Place => ({
  role,
  endpoint: uploadImage,
  size,
  room: (values) => one(values.responsive[list].length > 0),
  files: (values) => values.responsive[list].map((image) => image.file_id),
  put: ({ setValue }, { file_id, file_url }) => setValue(`responsive.${list}`, [{ index: 0, file_id, url: file_url }], CHANGE),
  remove: ({ getValues, setValue }, fileId) =>
    setValue(
      `responsive.${list}`,
      getValues(`responsive.${list}`).filter((image) => image.file_id !== fileId),
      CHANGE,
    ),
})

const native = (size: Size): Place => {
  const imagesOf = (values: CampaignFormValues) => values.native.images.filter((image) => isSquare(image) === isSquare(size))
  return {
    role: 'nativeImage',
    endpoint: uploadNative,
    size,
    room: (values) => one(imagesOf(values).length > 0),
    files: (values) => imagesOf(values).map((image) => image.file_id),
    put: ({ getValues, setValue }, { file_id, file_url }) =>
      setValue('native.images', [...getValues('native.images'), { ...size, file_id, url: file_url }], CHANGE),
    remove: ({ getValues, setValue }, fileId) =>
      setValue(
        'native.images',
        getValues('native.images').filter((image) => image.file_id !== fileId),
        CHANGE,
      ),
  }
}

/** How each place takes a file, and gives it back. */
export const PLACE: Readonly<Record<PlaceKey, Place>> = {
  banner: {
    role: 'banner',
    endpoint: uploadBanner,
    size: null,
    room: () => Infinity,
    files: (values) => values.banners.map(({ fileId }) => fileId),
    put({ getValues, setValue }, { file_id, file_url, name, width, height }) {
      const banner = {
        id: null,
        width: width ?? 0,
        height: height ?? 0,
        fileId: file_id,
        url: file_url,
        creativeName: nameFromFile(name),
      }
      setValue('banners', [banner, ...getValues('banners')], { shouldDirty: true })
    },
    remove: ({ getValues, setValue }, id) =>
      setValue(
        'banners',
        getValues('banners').filter(({ fileId }) => fileId !== id),
        { shouldDirty: true },
      ),
  },
  responsiveImage: responsive('dynamicImage', 'images', LANDSCAPE),
  responsiveLogo: responsive('dynamicLogo', 'logos', null),
  nativeLandscape: native(LANDSCAPE),
  nativeSquare: native(SQUARE),
  nativeLogo: {
    role: 'nativeLogo',
    endpoint: uploadNative,
    size: ICON,
    room: (values) => one(values.native.logo !== null),
    files: (values) => (values.native.logo === null ? [] : [values.native.logo.file_id]),
    put: ({ setValue }, { file_id, file_url }) => setValue('native.logo', { ...ICON, file_id, url: file_url }, CHANGE),
    remove({ getValues, setValue }, fileId) {
      if (getValues('native.logo')?.file_id === fileId) setValue('native.logo', null, CHANGE)
    },
  },
  nativeVideo: {
    role: 'nativeVideo',
    endpoint: uploadVideo,
    size: null,
    room: (values) => one(values.native.video !== null),
    files: (values) => (values.native.video === null ? [] : [values.native.video.fileId]),
    put: ({ setValue }, { file_id, file_url, name, size, duration }) =>
      setValue('native.video', { url: file_url, fileId: file_id, filename: name, size, duration }, CHANGE),
    remove({ getValues, setValue }, fileId) {
      if (getValues('native.video')?.fileId === fileId) setValue('native.video', null, CHANGE)
    },
  },
  video: {
    role: 'video',
    endpoint: uploadVideo,
    size: null,
    room: (values) => one(values.video.video !== null),
    files: (values) => (values.video.video === null ? [] : [values.video.video.file_id]),
    put: ({ setValue }, { file_id, file_url, name, size, duration, width, height }) =>
      setValue('video.video', { file_id, name, url: file_url, size, duration, width, height }, CHANGE),
    remove({ getValues, setValue }, fileId) {
      if (getValues('video.video')?.file_id === fileId) setValue('video.video', null, CHANGE)
    },
  },
  companion: {
    role: 'companion',
    endpoint: uploadNative,
    size: COMPANION,
    room: (values) => one(values.video.companions.length > 0),
    files: (values) => values.video.companions.map((image) => image.file_id),
    put: ({ setValue }, { file_id, file_url }) =>
      setValue('video.companions', [{ ...COMPANION, file_id, url: file_url }], CHANGE),
    remove: ({ getValues, setValue }, fileId) =>
      setValue(
        'video.companions',
        getValues('video.companions').filter((image) => image.file_id !== fileId),
        CHANGE,
      ),
  },
  track: {
    role: 'track',
    endpoint: uploadAudio,
    size: null,
    room: (values) => Math.max(0, MAX_TRACKS - values.tracks.tracks.length),
    files: (values) => values.tracks.tracks.map(({ fileId }) => fileId),
    put: ({ getValues, setValue }, file) => setValue('tracks.tracks', [...getValues('tracks.tracks'), trackOf(file)], CHANGE),
    remove: ({ getValues, setValue }, id) =>
      setValue(
        'tracks.tracks',
        getValues('tracks.tracks').filter(({ fileId }) => fileId !== id),
        CHANGE,
      ),
  },
}

/** Puts a file in its place. False when others filled the place in the meantime. */
export function placeFile(form: Form, key: PlaceKey, file: PlacedFile): boolean {
  const place = PLACE[key]
  if (place.room(form.getValues()) === 0) return false
  place.put(form, file)
  return true
}
