import { useState } from 'react'
import { useFieldArray } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { verdictOf } from '#domain/campaign/status/status'
import { BANNER_SIZE_GROUPS, BANNER_SIZES } from '#domain/campaign/content/options'
import { LabelledField, FieldSelect } from '@/components/form/labelled-field'
import { useKeptFocus } from '@/lib/use-kept-focus'
import { useCampaignForm, useFieldError, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { ToggleRow } from '@/components/form/toggle-row'
import { BannerCard } from './banner-card.tsx'
import { BannerDrop } from './banner-drop.tsx'
import { SizeMap } from './size-map.tsx'
import { FormSection } from '../form-section.tsx'

const SIZE_GROUPS = (['vertical', 'horizontal', 'full'] as const).map(
  (group) => [group, BANNER_SIZE_GROUPS[group].flatMap((grouped) => BANNER_SIZES.filter(({ key }) => key === grouped))] as const,
)

export function BannerAdsTab() {
  const { t } = useTranslation(['form', 'creatives'])
  const { control, getValues } = useCampaignForm()
  const { campaign, readOnly } = useFormBase()
  const error = useFieldError('banners')
  const keptFocus = useKeptFocus<HTMLElement>()
  const { fields, prepend, remove } = useFieldArray({ control, name: 'banners', keyName: 'rowKey' })
  const [sizeKey, setSizeKey] = useState(106)
  const { width, height } = BANNER_SIZES.find(({ key }) => key === sizeKey) ?? { width: 300, height: 250 }
  // Banners have no flag: they are enabled while there is at least one (decisions G-121). The upload opens by default while no
  // other ad type is enabled.
  const [opened, setOpened] = useState(() => !getValues(['responsive.enabled', 'native.enabled', 'video.enabled']).includes(true))
  const on = opened || fields.length > 0
  // Refused ones need something done, so they come first.
  const refused = new Set(
    campaign?.visuals.banners.flatMap(({ id, creativeServingDecision: decision }) =>
      decision && verdictOf(decision) === 'disapproved' ? [id] : [],
    ),
  )
  const inOrder = fields
    .map((field, index) => ({ field, index, isRefused: field.id !== null && refused.has(field.id) }))
    .toSorted((a, b) => Number(b.isRefused) - Number(a.isRefused))
  return (
    <>
      <section className="border-border bg-card rounded-lg flex flex-col gap-3 border px-6 py-4">
        <header>
          <h2 className="text-[15px] leading-5 font-semibold">{t('banners.title')}</h2>
          <p className="text-muted-foreground text-[0.8125rem]/4.5 mt-0.5 text-pretty">{t('banners.lead')}</p>
        </header>
        <ToggleRow
          checked={on}
          disabled={readOnly || fields.length > 0}
          label={t('creatives:toggle')}
          help={t('creatives:banner.toggleHelp')}
          onChange={setOpened}
        />
      </section>
      {!readOnly && on && (
        <FormSection title={t('creatives:banner.add')}>
          <LabelledField label={t('banners.size')} error={error}>
            <FieldSelect value={sizeKey} onChange={(event) => setSizeKey(Number(event.target.value))} className="tabular-nums">
              {SIZE_GROUPS.map(([group, sizes]) => (
                <optgroup key={group} label={t(`banners.group.${group}`)}>
                  {sizes.map(({ key, width, height }) => (
                    <option key={key} value={key}>{`${width}x${height}`}</option>
                  ))}
                </optgroup>
              ))}
            </FieldSelect>
          </LabelledField>
          <SizeMap chosen={sizeKey} onChoose={setSizeKey} />
          <div className="col-span-2">
            <BannerDrop size={{ width, height }} onUploaded={(banner) => prepend(banner, { shouldFocus: false })} />
          </div>
        </FormSection>
      )}
      <section {...keptFocus} tabIndex={-1} aria-label={t('banners.list')} className="flex flex-col gap-3">
        {fields.length === 0 && (
          <p className="text-muted-foreground border-border rounded-lg border border-dashed py-10 text-center">
            {t('banners.none')}
          </p>
        )}
        {inOrder.map(({ field, index }) => (
          <BannerCard key={field.rowKey} rowKey={field.rowKey} index={index} onRemove={() => remove(index)} />
        ))}
      </section>
    </>
  )
}
