import { useTranslation } from 'react-i18next'
import { SIMILARITIES } from '../../../../../../domain/campaign/content/options.ts'
import { Segmented, segmentsOf } from '@/components/form/segmented'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { FormSection } from '../form-section.tsx'

export function SimilaritySection() {
  const { t } = useTranslation('targeting')
  const { set, ...field } = useSliceField('targeting.similarity')
  return (
    <FormSection title={t('similarity')}>
      <Segmented
        quiet
        className="col-span-2"
        label={t('similarity')}
        help={t('similarityHelp')}
        segments={segmentsOf(SIMILARITIES, (name) => t(`similarities.${name}`))}
        {...field}
        onChange={set}
      />
    </FormSection>
  )
}
