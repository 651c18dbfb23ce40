import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Segmented } from '@/components/form/segmented'
import { FormSection } from '../form-section.tsx'
import type { useModeSwitch } from './use-mode-switch.ts'

export function ModeSection({ mode, refused, choose, ref, disabled }: ReturnType<typeof useModeSwitch>) {
  const { t } = useTranslation('targeting')
  return (
    <FormSection title={t('title')}>
      <div className="col-span-2 flex flex-col gap-1.5">
        <Segmented
          label={t('mode')}
          segments={[
            { value: 'automatic', label: t('automatic') },
            { value: 'manual', label: t('manual') },
          ]}
          value={mode}
          help={t(`modeHelp.${mode}`)}
          ref={ref}
          disabled={disabled}
          onChange={choose}
        />
        {refused !== null && (
          <p role="alert" className="text-destructive text-xs flex gap-1.5">
            <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
            {t(refused === 'manual' ? 'countryForManual' : 'countryNeeded')}
          </p>
        )}
      </div>
    </FormSection>
  )
}
