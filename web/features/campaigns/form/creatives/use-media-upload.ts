import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { uploadAudio, uploadBanner, uploadImage, uploadNative, uploadVideo } from '../../../../../api/contract/files.ts'
import { AppError } from '../../../../api/app-error.ts'
import { upload } from '../../../../api/upload.ts'
import { errorText, faultText } from '../../../../i18n/error-text.ts'
import { useErrorText, useFormBase } from '../campaign-form-context.ts'
import type { StoredFile } from './uploads.ts'

type MediaEndpoint = typeof uploadAudio | typeof uploadBanner | typeof uploadImage | typeof uploadNative | typeof uploadVideo
export type MediaUpload = {
  /** What the file is for; one upload at a time each. */
  readonly slot: string
  readonly kind: 'image' | 'video' | 'audio'
  readonly endpoint: MediaEndpoint
  readonly query?: { readonly width: number; readonly height: number }
  /** A translation key when the file cannot be used. */
  readonly check: (file: File) => Promise<string | null> | string | null
  readonly onUploaded: (file: StoredFile) => void
}

/** A file that was found unusable before it was sent; the message is a translation key. */
class Unusable extends Error {}

/** The upload into one slot: checked first, with its progress while it runs and the reason when it fails. */
export function useMediaUpload({ slot, kind, endpoint, query, check, onUploaded }: MediaUpload) {
  const { t } = useTranslation('creatives')
  const { campaign, uploads } = useFormBase()
  const textOf = useErrorText()
  const { progress, problem, arrived } = useSyncExternalStore(uploads.subscribe, () => uploads.stateOf(slot))
  useEffect(() => uploads.takenBy(slot, onUploaded), [uploads, slot, onUploaded])

  const failed = { image: t('uploadFailed.image'), video: t('uploadFailed.video'), audio: t('uploadFailed.audio') }
  const explain = (error: unknown): string => {
    if (error instanceof Unusable) return textOf('custom', error.message)
    if (!(error instanceof AppError) || error.code <= 0) return failed[kind]
    const [fault] = error.faults
    return fault === undefined ? errorText(error) : faultText(fault)
  }
  const send = (file: File) =>
    void uploads.run(slot, file.name, {
      explain,
      send: async (onProgress, signal) => {
        const refusal = await check(file)
        if (refusal !== null) throw new Unusable(refusal)
        return upload(endpoint, {
          query: { ...query, ...(campaign === null ? {} : { space_id: campaign.space_id }) },
          file,
          onProgress,
          signal,
        })
      },
    })
  return { progress, problem, arrived, send, stop: () => uploads.stop(slot), clear: () => uploads.dismiss(slot) }
}
