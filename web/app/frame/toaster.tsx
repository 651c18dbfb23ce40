import { useEffect } from 'react'
import { Toaster as Drawn, toast } from 'sonner'
import { toasts } from '@/lib/toast'
import { useIsDark } from '@/theme/color-scheme'

export function Toaster() {
  const dark = useIsDark()
  // Runs after the effects of the toaster, which would miss an earlier message.
  useEffect(
    () =>
      toasts.takeOver((message) => {
        if (message.kind === 'dismiss') toast.dismiss(message.id)
        else toast[message.kind](message.text, message.options)
      }),
    [],
  )
  return (
    // A message that got the focus would give it back to where it came from: Tab would lead to it and back, and no further.
    <div className="contents" onFocusCapture={(event) => event.stopPropagation()}>
      <Drawn
        theme={dark ? 'dark' : 'light'}
        richColors
        duration={3000}
        position="bottom-right"
        // Above the footer of a form, and below dialogs: nothing that asks for a decision is covered.
        offset={{ bottom: 72, right: 16 }}
        style={{ zIndex: 40 }}
      />
    </div>
  )
}
