import type { ReactNode } from 'react'

type StickyFooterProps = {
  /** The action at the start, such as cancel. */
  readonly start: ReactNode
  /** Announced beside the actions, such as "unsaved changes". */
  readonly note: string | null
  /** A line above the actions. It comes and goes without moving what lies above the footer. */
  readonly notice?: ReactNode
  readonly children: ReactNode
}

/** The action bar of a form, at the bottom of the window. */
export function StickyFooter({ start, note, notice, children }: StickyFooterProps) {
  return (
    <footer
      data-slot="form-footer"
      className="sticky bottom-0 z-20 mt-auto flex flex-wrap items-center gap-2 border-t border-border bg-card px-4 py-3 lg:px-8"
    >
      {notice}
      {start}
      <output className="mr-2 ml-auto flex items-center gap-2 text-[0.8125rem]/4.5 text-muted-foreground">
        {note !== null && (
          <>
            <span aria-hidden className="size-1.5 rounded-full bg-warning-dot" />
            {note}
          </>
        )}
      </output>
      {children}
    </footer>
  )
}
