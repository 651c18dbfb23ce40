import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { ariaKeys } from '@/app/shortcuts/keys'
import { ShortcutHint } from '@/app/shortcuts/shortcut-hint'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import { Button } from '@/components/ui/button'

type DecisionBarProps = {
  /** False while no decision is possible: the submission has changed or is already decided. */
  readonly enabled: boolean
  readonly canSkip: boolean
  readonly rejectRef: Ref<HTMLButtonElement>
  readonly onApprove: () => void
  readonly onApproveWith: () => void
  readonly onReject: () => void
  readonly onSkip: () => void
}

/** The moderator's actions, with their keys where there is room. Sticky, so that it is visible on long submissions. */
export function DecisionBar(props: DecisionBarProps) {
  const { enabled, canSkip, rejectRef, onApprove, onApproveWith, onReject, onSkip } = props
  const { t } = useTranslation('moderation')
  const when = () => enabled
  useShortcuts([
    { id: 'moderation.approve', label: t('approve'), keys: ['a'], when, run: onApprove },
    { id: 'moderation.reject', label: t('reject'), keys: ['r'], when, run: onReject },
    { id: 'moderation.skip', label: t('skip'), keys: ['s'], when: () => canSkip, run: onSkip },
  ])
  return (
    <div className="bg-card border-border sticky top-0 z-10 -mx-4 flex flex-wrap items-center gap-2 border-y px-4 py-2.5 lg:-mx-6 lg:px-6 max-xl:[&_button]:px-2.5 max-xl:[&_kbd]:hidden">
      <Button disabled={!enabled} aria-keyshortcuts={ariaKeys(['a'])} onClick={onApprove}>
        {t('approve')}
        <ShortcutHint keys="a" />
      </Button>
      <Button variant="outline" disabled={!enabled} onClick={onApproveWith}>
        {t('approveWith')}
      </Button>
      <Button ref={rejectRef} variant="outline" disabled={!enabled} aria-keyshortcuts={ariaKeys(['r'])} onClick={onReject}>
        {t('reject')}
        <ShortcutHint keys="r" />
      </Button>
      <Button variant="ghost" disabled={!canSkip} aria-keyshortcuts={ariaKeys(['s'])} onClick={onSkip}>
        {t('skip')}
        <ShortcutHint keys="s" />
      </Button>
    </div>
  )
}
