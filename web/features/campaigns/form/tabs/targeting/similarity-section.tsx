import { useTranslation } from 'react-i18next'
import { SIMILARITIES } from '../../../../../../domain/campaign/options.ts'
import { Segmented, segmentsOf } from '../../../../../components/segmented.tsx'
import { useSliceField } from '../../slices/use-slice-field.ts'
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
