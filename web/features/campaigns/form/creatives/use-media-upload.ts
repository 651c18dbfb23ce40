import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from '../../../../../api/contract/zod.ts'
import type {
  storedFile,
  uploadAudio,
  uploadBanner,
  uploadImage,
  uploadNative,
  uploadVideo,
} from '../../../../../api/contract/files.ts'
import { AppError } from '../../../../api/app-error.ts'
import { upload } from '../../../../api/upload.ts'
import { errorText, faultText } from '../../../../i18n/error-text.ts'
import { useErrorText, useFormBase } from '../campaign-form-context.ts'

export type StoredFile = z.infer<typeof storedFile>
type MediaEndpoint = typeof uploadAudio | typeof uploadBanner | typeof uploadImage | typeof uploadNative | typeof uploadVideo
export type MediaUpload = {
  readonly kind: 'image' | 'video' | 'audio'
  readonly endpoint: MediaEndpoint
  readonly query?: { readonly width: number; readonly height: number }
  /** A translation key when the file cannot be used. */
  readonly check: (file: File) => Promise<string | null> | string | null
  readonly onUploaded: (file: StoredFile) => void
}
export type Progress = { readonly name: string; readonly fraction: number }

/** One upload at a time: checked first, with its progress while it runs and the reason when it fails. */
export function useMediaUpload({ kind, endpoint, query, check, onUploaded }: MediaUpload) {
  const { t } = useTranslation('creatives')
  const { campaign } = useFormBase()
  const textOf = useErrorText()
  const [progress, setProgress] = useState<Progress | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const controller = useRef<AbortController | null>(null)

  const failed = { image: t('uploadFailed.image'), video: t('uploadFailed.video'), audio: t('uploadFailed.audio') }
  const reasonOf = (error: unknown): string | null => {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    if (!(error instanceof AppError) || error.code <= 0) return failed[kind]
    const [fault] = error.faults
    return fault === undefined ? errorText(error) : faultText(fault)
  }

  const send = async (file: File) => {
    setProblem(null)
    setProgress({ name: file.name, fraction: 0 })
    try {
      const refusal = await check(file)
      if (refusal !== null) return setProblem(`${file.name}: ${textOf('custom', refusal)}`)
      controller.current = new AbortController()
      const answer = await upload(endpoint, {
        query: { ...query, ...(campaign === null ? {} : { space_id: campaign.space_id }) },
        file,
        onProgress: (fraction) => setProgress({ name: file.name, fraction }),
        signal: controller.current.signal,
      })
      onUploaded(answer)
    } catch (error) {
      const reason = reasonOf(error)
      setProblem(reason === null ? null : `${file.name}: ${reason}`)
    } finally {
      controller.current = null
      setProgress(null)
    }
    return undefined
  }
  return {
    progress,
    problem,
    send: (file: File) => void send(file),
    stop: () => controller.current?.abort(),
    clear: () => setProblem(null),
  }
}
