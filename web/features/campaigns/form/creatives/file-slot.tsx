import { CircleAlert, Trash2, Upload } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { FileDrop } from '../../../../components/file-drop.tsx'
import { Button } from '../../../../components/ui/button.tsx'
import { cn } from '../../../../lib/cn.ts'
import { useCampaignForm, useFieldError, useFormBase } from '../campaign-form-context.ts'
import type { CampaignField } from '../form-schema.ts'
import { UploadState } from './upload-state.tsx'
import { useMediaUpload, type MediaUpload } from './use-media-upload.ts'

type FileSlotProps = MediaUpload & {
  readonly name: CampaignField
  readonly label: string
  readonly hint?: string
  /** What a file must be, said before one is chosen. */
  readonly limits: string
  readonly accept: readonly string[]
  /** What is there already; null while the slot is empty. */
  readonly preview: ReactNode
  readonly onRemove: () => void
  readonly className?: string
  /** Another slot of the same field tells what is wrong with it. */
  readonly quiet?: boolean
}

/** A place for one file: dropping and choosing while it is empty, its preview and Remove once it is not. */
export function FileSlot(props: FileSlotProps) {
  const { name, label, hint, limits, accept, preview, onRemove, className, quiet = false, ...media } = props
  const { t } = useTranslation('creatives')
  const { control } = useCampaignForm()
  const { readOnly } = useFormBase()
  const id = useId()
  const found = useFieldError(name)
  const error = quiet ? undefined : found
  const {
    field: { ref: anchor },
  } = useController({ control, name })
  const { progress, problem, send, stop, clear } = useMediaUpload(media)
  const filled = preview !== null
  return (
    // Lists of what is wrong lead here, so the group itself takes the focus.
    <fieldset
      {...(quiet ? {} : { ref: anchor })}
      tabIndex={-1}
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-limits${error === undefined ? '' : ` ${id}-error`}`}
      className={cn('flex min-w-0 flex-col gap-1.5', className)}
    >
      <div className="flex min-h-5 items-baseline justify-between gap-2">
        <span id={`${id}-label`} className="text-table font-medium">
          {label}
        </span>
        {hint !== undefined && <span className="text-ink-soft text-meta">{hint}</span>}
      </div>
      {filled && preview}
      {!readOnly &&
        (filled ? (
          <div className="flex gap-1">
            <Button variant="secondary" size="small" disabled aria-label={t('addNamed', { name: label })}>
              <Upload aria-hidden />
              {t('add')}
            </Button>
            <Button
              variant="ghost"
              size="icon"
              title={t('remove')}
              aria-label={t('removeNamed', { name: label })}
              onClick={() => {
                clear()
                onRemove()
              }}
            >
              <Trash2 aria-hidden />
            </Button>
          </div>
        ) : (
          <FileDrop accept={accept.join(',')} label={t('addNamed', { name: label })} disabled={progress !== null} onFile={send}>
            <Upload aria-hidden className="text-ink-soft size-5 stroke-[1.5]" />
            <span className="text-table font-medium">{t('choose')}</span>
          </FileDrop>
        ))}
      <p id={`${id}-limits`} className="text-ink-soft text-meta">
        {limits}
      </p>
      <UploadState progress={progress} problem={problem} onStop={stop} />
      {error !== undefined && (
        <p id={`${id}-error`} className="text-bad text-meta flex gap-1.5">
          <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** A picture in its slot, on a ground that shows where it is transparent. */
export function SlotImage({
  url,
  alt,
  className,
}: {
  readonly url: string | null
  readonly alt: string
  readonly className?: string
}) {
  return (
    <div className={cn('checkered rounded-control grid h-28 place-items-center overflow-hidden', className)}>
      {url !== null && <img src={url} alt={alt} className="size-full min-h-0 object-contain" />}
    </div>
  )
}
