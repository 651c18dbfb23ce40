import { Check, CircleAlert, Trash2, Upload as UploadIcon } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ReplaceFile } from '@/components/upload/replace-file'
import { Upload, useUploadRows } from '@/components/upload/upload'
import { HoverTip } from '@/components/hover-tip'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/utils'
import { useKeptFocus } from '@/lib/use-kept-focus'
import { useCampaignForm, useFieldError, useFormBase } from '../campaign-form-context.ts'
import { FromLibrary } from '../library/from-library.tsx'
import type { CampaignField } from '../form-schema.ts'
import type { PlaceKey } from './places.ts'
import type { StoredFile } from '#contract/files'
import { useMediaSend, type MediaUpload } from './use-media-send.ts'

type FileSlotProps = MediaUpload & {
  readonly name: CampaignField
  /** The place that it fills. */
  readonly place: PlaceKey
  /** Purpose of the file, unique in the form. */
  readonly slot: string
  readonly label: string
  readonly hint?: string
  /** The file requirements, shown before the choice. */
  readonly limits: string
  readonly accept: readonly string[]
  /** Preview of the stored file; null while the slot is empty. */
  readonly preview: ReactNode
  readonly onUploaded: (file: StoredFile) => void
  readonly onRemove: () => void
  readonly className?: string
  /** True when another slot of the same field shows the error. */
  readonly quiet?: boolean
  /** True for slots that are emptied before they take another file (campaigns.md §2). */
  readonly onlyAdds?: boolean
}

/** A slot for one file: an upload area while empty, then a preview with Replace and Remove. */
export function FileSlot(props: FileSlotProps) {
  const {
    name,
    label,
    hint,
    limits,
    accept,
    slot,
    preview,
    onUploaded,
    onRemove,
    className,
    quiet = false,
    onlyAdds = false,
    place,
    ...media
  } = props
  const { t } = useTranslation('creatives')
  const { control } = useCampaignForm()
  const { readOnly } = useFormBase()
  const id = useId()
  const found = useFieldError(name)
  const error = quiet ? undefined : found
  const {
    field: { ref: anchor },
  } = useController({ control, name })
  // Error lists link here, so the group itself is focusable.
  const keptFocus = useKeptFocus<HTMLFieldSetElement>(quiet ? undefined : anchor)
  const sending = useMediaSend(media)
  const { uploads } = sending
  const rows = useUploadRows(uploads, slot)
  const arrived = rows.some(({ state }) => state === 'done')
  return (
    <fieldset
      {...keptFocus}
      tabIndex={-1}
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-limits${error === undefined ? '' : ` ${id}-error`}`}
      className={cn('flex min-w-0 flex-col gap-1.5', className)}
    >
      <div className="flex min-h-5 items-baseline justify-between gap-2">
        <span id={`${id}-label`} className="text-[0.8125rem]/4.5 font-medium">
          {label}
        </span>
        {hint !== undefined && <span className="text-muted-foreground text-xs">{hint}</span>}
      </div>
      {preview}
      <output className="text-success text-xs flex items-center gap-1.5 empty:hidden">
        {media.kind === 'video' && arrived && preview !== null && (
          <>
            <Check aria-hidden className="size-3 shrink-0" />
            {t('videoUploaded')}
          </>
        )}
      </output>
      {!readOnly && preview !== null && (
        <div className="flex flex-wrap gap-1">
          {onlyAdds ? (
            <Button variant="outline" size="sm" disabled aria-label={t('addNamed', { name: label })}>
              <UploadIcon aria-hidden />
              {t('add')}
            </Button>
          ) : (
            <ReplaceFile
              slot={slot}
              rows={rows}
              accept={accept}
              label={t('anotherFile', { name: label })}
              onUploaded={onUploaded}
              buttonLabel={t('replaceNamed', { name: label })}
              text={t('replace')}
              {...sending}
            />
          )}
          <HoverTip text={t('remove')}>
            <Button
              variant="ghost"
              size="icon"
              aria-label={t('removeNamed', { name: label })}
              onClick={() => {
                uploads.clear(slot)
                onRemove()
              }}
            >
              <Trash2 aria-hidden />
            </Button>
          </HoverTip>
        </div>
      )}
      {!readOnly && preview === null && (
        <>
          <Upload
            slot={slot}
            rows={rows}
            label={t('addNamed', { name: label })}
            accept={accept}
            onUploaded={onUploaded}
            {...sending}
          >
            <UploadIcon aria-hidden className="text-muted-foreground size-5 stroke-[1.5]" />
            <span className="text-[0.8125rem]/4.5 font-medium text-balance">{t('choose')}</span>
          </Upload>
          <FromLibrary place={place} name={label} />
        </>
      )}
      <p id={`${id}-limits`} className="text-muted-foreground text-xs text-pretty">
        {limits}
      </p>
      {error !== undefined && (
        <p id={`${id}-error`} className="text-destructive text-xs flex gap-1.5">
          <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** An image in its slot, on a checkered background that reveals transparency. */
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
    <div className={cn('checkered rounded-md grid h-28 place-items-center overflow-hidden', className)}>
      {url !== null && <img src={url} alt={alt} className="size-full min-h-0 object-contain" />}
    </div>
  )
}
