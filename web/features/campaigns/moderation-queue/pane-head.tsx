import type { ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { ariaKeys } from '@/app/shortcuts/keys'
import { ShortcutHint } from '@/app/shortcuts/shortcut-hint'
import { Button } from '@/components/ui/button'

type PaneHeadProps = {
  /** Names the pane. */
  readonly id: string
  readonly name: ReactNode
  readonly headingRef: Ref<HTMLHeadingElement>
  readonly onOpenForm: () => void
  /** Below the name. */
  readonly children: ReactNode
}

/** The head of a campaign under review: its name, what is known of it, and the way to its form. */
export function PaneHead({ id, name, headingRef, onOpenForm, children }: PaneHeadProps) {
  const { t } = useTranslation('moderation')
  return (
    <header className="flex items-start justify-between gap-4">
      <div className="flex min-w-0 flex-col gap-1">
        <h2
          id={id}
          ref={headingRef}
          tabIndex={-1}
          className="scroll-mt-5 text-[17px] leading-6 font-semibold break-words outline-none"
        >
          {name}
        </h2>
        {children}
      </div>
      <Button variant="ghost" size="sm" className="-mr-2.5" aria-keyshortcuts={ariaKeys(['o'])} onClick={onOpenForm}>
        {t('openForm')}
        <ShortcutHint keys="o" />
      </Button>
    </header>
  )
}
