import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { uploadAudio, uploadBanner, uploadImage, uploadNative, uploadVideo } from '../../../../../api/contract/files.ts'
import { upload } from '@/data/upload'
import { useFormBase } from '../campaign-form-context.ts'
import type { StoredFile } from './uploads.ts'
import { Unusable, useUploadReason } from './use-upload-reason.ts'

type MediaEndpoint = typeof uploadAudio | typeof uploadBanner | typeof uploadImage | typeof uploadNative | typeof uploadVideo
export type MediaUpload = {
  /** Purpose of the file. Each slot has one upload at a time. */
  readonly slot: string
  readonly kind: 'image' | 'video' | 'audio'
  readonly endpoint: MediaEndpoint
  readonly query?: { readonly width: number; readonly height: number }
  /** Returns a translation key when the file is unusable. */
  readonly check: (file: File) => Promise<string | null> | string | null
  readonly onUploaded: (file: StoredFile) => void
}

/** Uploads files into one slot sequentially. Checks each file first, then reports progress and errors. */
export function useMediaUpload({ slot, kind, endpoint, query, check, onUploaded }: MediaUpload) {
  const { t } = useTranslation('creatives')
  const { campaign, uploads } = useFormBase()
  const { progress, problem, arrived } = useSyncExternalStore(uploads.subscribe, () => uploads.stateOf(slot))
  useEffect(() => uploads.takenBy(slot, onUploaded), [uploads, slot, onUploaded])

  const failed = { image: t('uploadFailed.image'), video: t('uploadFailed.video'), audio: t('uploadFailed.audio') }
  const explain = useUploadReason(failed[kind])
  const send = (files: readonly File[]) =>
    void uploads.run(
      slot,
      files.map((file) => ({
        name: file.name,
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
      })),
    )
  return { progress, problem, arrived, send, stop: () => uploads.stop(slot), clear: () => uploads.dismiss(slot) }
}
