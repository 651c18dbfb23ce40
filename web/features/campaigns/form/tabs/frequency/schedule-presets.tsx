import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import type { PRESETS } from './schedule.ts'

type Preset = keyof typeof PRESETS
const OFFERED = ['business', 'weekend', 'always', 'none'] as const satisfies readonly Preset[]

/** Buttons of common weekly schedules. */
export function SchedulePresets({ onChoose }: { readonly onChoose: (name: Preset) => void }) {
  const { t } = useTranslation('frequency')
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{t('presets')}</legend>
      {OFFERED.map((name) => (
        <Button key={name} variant="outline" size="sm" onClick={() => onChoose(name)}>
          {t(`preset.${name}`)}
        </Button>
      ))}
    </fieldset>
  )
}
