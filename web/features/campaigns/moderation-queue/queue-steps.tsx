import { ChevronDown, ChevronUp, Keyboard } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ariaKeys } from '@/app/shortcuts/keys'
import { HELP } from '@/app/shortcuts/ids'
import { ShortcutHint } from '@/app/shortcuts/shortcut-hint'
import { runShortcut, useShortcuts } from '@/app/shortcuts/shortcuts'
import { HoverTip } from '@/components/hover-tip'
import { Button } from '@/components/ui/button'

type QueueStepsProps = {
  /** Null at the end of the queue. */
  readonly onPrevious: (() => void) | null
  readonly onNext: (() => void) | null
}

/** Buttons for the previous and next submission, and the shortcut help. */
export function QueueSteps({ onPrevious, onNext }: QueueStepsProps) {
  const { t } = useTranslation(['moderation', 'shortcuts'])
  const steps = [
    { id: 'moderation.previous', label: t('moderation:previous'), key: 'k', step: onPrevious, Icon: ChevronUp },
    { id: 'moderation.next', label: t('moderation:next'), key: 'j', step: onNext, Icon: ChevronDown },
  ]
  useShortcuts(
    steps.map(({ id, label, key, step }) => ({ id, label, keys: [key], when: () => step !== null, run: () => step?.() })),
  )
  return (
    <>
      {steps.map(({ id, label, key, step, Icon }) => (
        <HoverTip key={id} text={label}>
          <Button
            variant="ghost"
            size="sm"
            aria-label={label}
            aria-keyshortcuts={ariaKeys([key])}
            disabled={step === null}
            onClick={() => step?.()}
          >
            <Icon aria-hidden />
            <ShortcutHint keys={key} />
          </Button>
        </HoverTip>
      ))}
      <HoverTip text={t('shortcuts:title')}>
        <Button
          variant="ghost"
          size="sm"
          aria-label={t('shortcuts:title')}
          aria-keyshortcuts={ariaKeys(['?'])}
          onClick={() => runShortcut(HELP)}
        >
          <Keyboard aria-hidden />
          <ShortcutHint keys="?" />
        </Button>
      </HoverTip>
    </>
  )
}
