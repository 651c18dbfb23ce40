import { Tooltip } from 'radix-ui'
import type { ReactElement } from 'react'

/** campaigns.md §2. */
export const TIP_DELAY = 600

type HoverTipProps = {
  /** Null when there is no tooltip. */
  readonly text: string | null
  readonly children: ReactElement
}

/** Shows the full text of a truncated element on hover. */
export function HoverTip({ text, children }: HoverTipProps) {
  return (
    <Tooltip.Provider delayDuration={TIP_DELAY} skipDelayDuration={0}>
      <Tooltip.Root>
        <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
        {text !== null && (
          <Tooltip.Portal>
            <Tooltip.Content
              sideOffset={5}
              className="bg-foreground text-background text-xs rounded-md shadow-lg z-50 max-w-80 px-2.5 py-1.5 break-words"
            >
              {text}
            </Tooltip.Content>
          </Tooltip.Portal>
        )}
      </Tooltip.Root>
    </Tooltip.Provider>
  )
}
