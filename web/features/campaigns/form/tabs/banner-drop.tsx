import { CircleAlert, ImageUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppError } from '../../../../api/app-error.ts'
import { uploadBanner } from '../../../../../api/contract/files.ts'
import { upload } from '../../../../api/upload.ts'
import { Button } from '../../../../components/ui/button.tsx'
import { FileDrop } from '../../../../components/file-drop.tsx'
import { errorText, faultText } from '../../../../i18n/error-text.ts'
import { useFormBase } from '../campaign-form-context.ts'
import type { BannerValue } from '../form-schema.ts'
import { ACCEPT, measureImage, nameFromFile, refusalOf, type Size } from './banner-check.ts'
import { useKnownKind } from '../../creatives/banner-kind.ts'

type BannerDropProps = { readonly size: Size; readonly onUploaded: (banner: BannerValue) => void }
type Progress = { readonly name: string; readonly fraction: number }

export function BannerDrop({ size, onUploaded }: BannerDropProps) {
  const { t } = useTranslation(['form', 'creatives', 'faults'])
  const { campaign } = useFormBase()
  const [progress, setProgress] = useState<Progress | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const stop = useRef<AbortController | null>(null)
  const { width, height } = size
  const knowKind = useKnownKind()

  const reasonOf = (error: AppError) => {
    if (error.code <= 0) return t('banners.failed')
    const [fault] = error.faults
    return fault === undefined ? errorText(error) : faultText(fault)
  }
  const reasons = {
    wrongType: t('creatives:banner.wrongType'),
    tooBig: t('banners.tooBig'),
    archiveTooBig: t('faults:archiveBytes'),
    wrongSize: t('banners.wrongSize', { width, height }),
  }

  const send = async (file: File) => {
    setProblem(null)
    const refusal = await refusalOf(file, size, measureImage)
    if (refusal !== null) return setProblem(`${file.name}: ${reasons[refusal]}`)
    stop.current = new AbortController()
    setProgress({ name: file.name, fraction: 0 })
    try {
      const answer = await upload(uploadBanner, {
        query: { width, height, ...(campaign === null ? {} : { space_id: campaign.space_id }) },
        file,
        onProgress: (fraction) => setProgress({ name: file.name, fraction }),
        signal: stop.current.signal,
      })
      knowKind(answer)
      const creativeName = nameFromFile(file.name)
      onUploaded({ id: null, width, height, fileId: answer.file_id, url: answer.file_url, creativeName, decision: null })
    } catch (error) {
      if (error instanceof AppError) setProblem(`${file.name}: ${reasonOf(error)}`)
    } finally {
      setProgress(null)
    }
  }

  return (
    <div className="flex flex-col gap-2">
      <FileDrop accept={ACCEPT} label={t('banners.choose')} disabled={progress !== null} onFile={(file) => void send(file)}>
        <ImageUp aria-hidden className="text-ink-soft size-6 stroke-[1.5]" />
        <span className="font-medium">{t('banners.drop')}</span>
        <span className="text-ink-soft text-meta max-w-[52ch] text-balance">{t('banners.limits', { width, height })}</span>
        <span className="text-ink-soft text-meta max-w-[60ch] text-balance">{t('creatives:banner.html')}</span>
      </FileDrop>
      {progress !== null && (
        <div className="flex items-center gap-3">
          <div className="grow">
            <p className="text-table truncate">{t('banners.uploading', { name: progress.name })}</p>
            <progress
              value={progress.fraction}
              aria-label={t('banners.uploading', { name: progress.name })}
              className="progress mt-1 h-1 w-full"
            />
          </div>
          <Button variant="ghost" size="small" onClick={() => stop.current?.abort()}>
            {t('banners.stop')}
          </Button>
        </div>
      )}
      {problem !== null && (
        <p role="alert" className="text-bad text-table flex gap-1.5">
          <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          {problem}
        </p>
      )}
    </div>
  )
}
