import { useTranslation } from 'react-i18next'
import type { uploadAudio, uploadBanner, uploadImage, uploadNative, uploadVideo } from '#contract/files'
import { upload } from '@/data/upload'
import { useFormBase } from '../campaign-form-context.ts'
import { Unusable, useUploadReason } from './use-upload-reason.ts'

export type MediaEndpoint =
  | typeof uploadAudio
  | typeof uploadBanner
  | typeof uploadImage
  | typeof uploadNative
  | typeof uploadVideo
export type MediaUpload = {
  readonly kind: 'image' | 'video' | 'audio'
  readonly endpoint: MediaEndpoint
  readonly query?: { readonly width: number; readonly height: number }
  /** Returns a translation key when the file is unusable. */
  readonly check: (file: File) => Promise<string | null> | string | null
  /** The file to send in its place: another one, of its own size. */
  readonly prepare?: (
    file: File,
  ) => Promise<{ readonly file: File; readonly query?: { readonly width: number; readonly height: number } }>
}

/** Returns what `Upload` needs for media of the campaign: the form's uploads, `send`, which checks the file first, and `explain`. */
export function useMediaSend({ kind, endpoint, query, check, prepare }: MediaUpload) {
  const { t } = useTranslation('creatives')
  const { campaign, uploads } = useFormBase()
  const failed = { image: t('uploadFailed.image'), video: t('uploadFailed.video'), audio: t('uploadFailed.audio') }
  const explain = useUploadReason(failed[kind])
  const send = async (file: File, onProgress: (fraction: number) => void, signal: AbortSignal) => {
    const refusal = await check(file)
    if (refusal !== null) throw new Unusable(refusal)
    const space = campaign === null ? {} : { space_id: campaign.space_id }
    const sent = (await prepare?.(file)) ?? { file }
    return upload(endpoint, { query: { ...query, ...sent.query, ...space }, file: sent.file, onProgress, signal })
  }
  return { uploads, send, explain }
}
