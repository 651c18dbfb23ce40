import { useId, type ReactNode } from 'react'

type SettingsSectionProps = {
  readonly title: string
  readonly text?: string
  /** Beside the title. */
  readonly action?: ReactNode
  readonly children?: ReactNode
}

/** A titled block of a settings page. */
export function SettingsSection({ title, text, action, children }: SettingsSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-border bg-card rounded-xl border">
      <header className="border-border flex flex-wrap items-start gap-x-4 gap-y-2 px-5 py-4 not-last:border-b">
        <div className="min-w-0 grow basis-64">
          <h2 id={id} className="text-[15px]/6 font-semibold">
            {title}
          </h2>
          {text !== undefined && <p className="text-muted-foreground text-[0.8125rem]/5 text-pretty">{text}</p>}
        </div>
        {action}
      </header>
      {children !== undefined && <div className="flex flex-col gap-4 px-5 py-5">{children}</div>}
    </section>
  )
}
