import { FileCode2, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../components/ui/button.tsx'
import { Field, Input } from '../../../../components/ui/field.tsx'
import { StatusDot, toneInk } from '../../../../components/ui/status-dot.tsx'
import { cn } from '../../../../lib/cn.ts'
import { useCampaignForm, useFieldError, useFormBase } from '../campaign-form-context.ts'

type BannerCardProps = { readonly index: number; readonly onRemove: () => void }

const TONES = { approved: 'good', pending: 'warn', disapproved: 'bad' } as const

export function BannerCard({ index, onRemove }: BannerCardProps) {
  const { t } = useTranslation('form')
  const { register, watch } = useCampaignForm()
  const { readOnly } = useFormBase()
  const banner = watch(`banners.${index}`)
  const error = useFieldError(`banners.${index}.creativeName`)
  const { onChange, ...field } = register(`banners.${index}.creativeName`)
  const name = banner.creativeName || `${banner.width}x${banner.height}`
  const isImage = banner.url !== null && !/\.(zip|html?)(\?|$)/i.test(banner.url)
  return (
    <article aria-label={name} className="border-hairline bg-surface rounded-card flex gap-5 border p-4">
      <div className="checkered rounded-control grid h-28 w-44 shrink-0 place-items-center overflow-hidden">
        {isImage ? (
          <img
            src={banner.url ?? ''}
            alt={t('banners.preview', { name })}
            width={banner.width}
            height={banner.height}
            className="max-h-full w-auto max-w-full object-contain"
          />
        ) : (
          <span className="text-ink-soft text-meta flex flex-col items-center gap-1">
            <FileCode2 aria-hidden className="size-6 stroke-[1.5]" />
            {t('banners.html')}
          </span>
        )}
      </div>
      <div className="flex min-w-0 grow flex-col gap-3">
        <p className="text-table flex items-center gap-4">
          <span className="font-medium tabular-nums">{`${banner.width}x${banner.height}`}</span>
          {banner.decision !== null && (
            <span className={cn('flex items-center gap-1.5', toneInk(TONES[banner.decision]))}>
              <StatusDot tone={TONES[banner.decision]} />
              {t(`banners.decision.${banner.decision}`)}
            </span>
          )}
        </p>
        <Field label={t('banners.creativeName')} error={error}>
          <Input
            autoComplete="off"
            spellCheck={false}
            readOnly={readOnly}
            {...field}
            onChange={(event) => {
              event.target.value = event.target.value.replaceAll(' ', '_')
              void onChange(event)
            }}
          />
        </Field>
      </div>
      {!readOnly && (
        <Button variant="ghost" size="icon" aria-label={t('banners.removeNamed', { name })} onClick={onRemove}>
          <Trash2 aria-hidden />
        </Button>
      )}
    </article>
  )
}
