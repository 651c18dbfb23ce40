import { useTranslation } from 'react-i18next'
import { ChipList } from '@/components/chip-list'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { FormSection } from '../form-section.tsx'
import { remove } from './selection.ts'

/** There are no audiences to choose from yet. Stored ids are kept and can be removed. */
export function AudiencesSection() {
  const { t } = useTranslation('targeting')
  const { value, set, ref, focus, disabled } = useSliceField('targeting.audiences')
  const shown = (['includeAny', 'include', 'exclude'] as const).filter((key) => value[key].length > 0)
  return (
    <FormSection title={t('audiences')}>
      <div className="col-span-2 flex flex-col gap-3">
        <p ref={ref} tabIndex={-1} className="text-muted-foreground outline-none">
          {t('noAudiences')}
        </p>
        {shown.length > 0 && <p className="text-[0.8125rem]/4.5">{t('storedAudiences')}</p>}
        {shown.map((key) => (
          <div key={key} className="flex items-baseline gap-3">
            <span className="text-muted-foreground text-[0.8125rem]/4.5 w-24 shrink-0">{t(key)}</span>
            <ChipList
              label={`${t('audiences')}: ${t(key)}`}
              chips={value[key].map((id) => ({ id, label: id }))}
              tone={key === 'exclude' ? 'bad' : 'good'}
              disabled={disabled}
              onRemove={(id) => set(remove(value, id))}
              onEmpty={focus}
            />
          </div>
        ))}
      </div>
    </FormSection>
  )
}
