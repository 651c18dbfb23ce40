import { useTranslation } from 'react-i18next'
import { Segmented } from '../../../../../components/segmented.tsx'
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
        segments={[
          { value: 0, label: t('similarities.exact') },
          { value: 1, label: t('similarities.close') },
          { value: 2, label: t('similarities.wide') },
          { value: 3, label: t('similarities.widest') },
        ]}
        {...field}
        onChange={set}
      />
    </FormSection>
  )
}
