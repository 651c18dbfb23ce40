import { AppsSection } from './apps-section.tsx'
import { AudiencesSection } from './audiences-section.tsx'
import { InterestsSection } from './interests-section.tsx'
import { ModeSection } from './mode-section.tsx'
import { PeopleSection } from './people-section.tsx'
import { SimilaritySection } from './similarity-section.tsx'
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
