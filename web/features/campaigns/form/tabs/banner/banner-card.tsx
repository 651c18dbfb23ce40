import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { LabelledField, FieldInput } from '@/components/form/labelled-field'
import { useCampaignForm, useFieldError, useFormBase, useFormValue } from '@/features/campaigns/form/campaign-form-context'
import { ServingDecision } from '@/features/campaigns/creatives/serving-decision'
import { typedName } from '@/features/campaigns/form/creatives/wire-values'
import { useBannerKind } from '@/features/campaigns/creatives/banner-kind'
import { useClickAddress } from '@/features/campaigns/form/use-click-address'
import { BannerNotes } from '@/features/campaigns/creatives/banner-notes'
import { ReplaceBanner } from './replace-banner.tsx'
import { BannerPicture } from '@/features/campaigns/creatives/banner-picture'

type BannerCardProps = { readonly index: number; readonly rowKey: string; readonly onRemove: () => void }

export function BannerCard({ index, rowKey, onRemove }: BannerCardProps) {
  const { t } = useTranslation('form')
  const { register } = useCampaignForm()
  const { campaign, readOnly } = useFormBase()
  const banner = useFormValue(`banners.${index}`)
  const error = useFieldError(`banners.${index}.creativeName`)
  const { onChange, ...field } = register(`banners.${index}.creativeName`)
  const name = banner.creativeName || `${banner.width}x${banner.height}`
  const kind = useBannerKind(banner.fileId, banner.url)
  const clickAddress = useClickAddress()
  const stored = campaign?.visuals.banners.find(({ id }) => id === banner.id)
  return (
    <article aria-label={name} className="border-border bg-card rounded-lg flex gap-5 border p-4">
      <BannerPicture
        {...banner}
        size={{ width: banner.width, height: banner.height }}
        html={kind.html}
        name={name}
        clickAddress={clickAddress}
      />
      <div className="flex min-w-0 grow flex-col gap-3">
        <p className="text-[0.8125rem]/4.5 flex items-center gap-4">
          <span className="font-medium tabular-nums">{`${banner.width}x${banner.height}`}</span>
          {kind.html && <span className="text-muted-foreground">{t('banners.html')}</span>}
        </p>
        <ServingDecision decision={stored?.creativeServingDecision} />
        <BannerNotes {...kind} />
        <LabelledField label={t('banners.creativeName')} error={error}>
          <FieldInput
            autoComplete="off"
            spellCheck={false}
            readOnly={readOnly}
            {...field}
            onChange={(event) => {
              event.target.value = typedName(event.target.value)
              void onChange(event)
            }}
          />
        </LabelledField>
      </div>
      {!readOnly && (
        <div className="flex max-w-48 shrink-0 flex-wrap content-start justify-end">
          <ReplaceBanner rowKey={rowKey} banner={banner} name={name} />
          <Button variant="ghost" size="icon" aria-label={t('banners.removeNamed', { name })} onClick={onRemove}>
            <Trash2 aria-hidden />
          </Button>
        </div>
      )}
    </article>
  )
}
