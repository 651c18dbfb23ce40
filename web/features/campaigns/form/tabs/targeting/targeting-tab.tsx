import { useTranslation } from 'react-i18next'
import { SIMILARITIES } from '#domain/campaign/content/options'
import { Segmented, segmentsOf } from '@/components/form/segmented'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { FormSection } from '../form-section.tsx'
import { AppsSection } from './apps-section.tsx'
import { AudiencesSection } from './audiences-section.tsx'
import { InterestsSection } from './interests-section.tsx'
import { ModeSection } from './mode-section.tsx'
import { PeopleSection } from './people-section.tsx'
import { useModeSwitch } from './use-mode-switch.ts'

export default function TargetingTab() {
  const modeSwitch = useModeSwitch()
  return (
    <>
      {!modeSwitch.fixed && <ModeSection {...modeSwitch} />}
      {modeSwitch.mode === 'manual' && (
        <>
          <PeopleSection />
          <InterestsSection />
          <AppsSection />
          <AudiencesSection />
          <SimilaritySection />
        </>
      )}
    </>
  )
}

function SimilaritySection() {
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
