import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Input } from '@/components/ui/input'
import { mayStand, multiplierOf } from './multiplier.ts'

type MultiplierInputProps = {
  readonly name: string
  readonly focusName: string
  readonly value: string
  readonly readOnly: boolean
  readonly onChange: (value: string) => void
}

export function MultiplierInput({ name, focusName, value, readOnly, onChange }: MultiplierInputProps) {
  const { t } = useTranslation('bidding')
  const input = useRef<HTMLInputElement>(null)
  /** The typed text; null while the input is not edited. */
  const [typed, setTyped] = useState<string | null>(null)

  // A native listener: only a cancelled `beforeinput` keeps the selection.
  useEffect(() => {
    const element = input.current
    const ignoreOthers = (event: InputEvent) => {
      if (element === null || event.data === null || event.isComposing) return
      const start = element.selectionStart ?? element.value.length
      const next = element.value.slice(0, start) + event.data + element.value.slice(element.selectionEnd ?? start)
      if (!mayStand(next.trim())) event.preventDefault()
    }
    element?.addEventListener('beforeinput', ignoreOthers)
    return () => element?.removeEventListener('beforeinput', ignoreOthers)
  }, [])

  return (
    <label className="text-muted-foreground text-[0.8125rem]/4.5 flex shrink-0 items-center gap-2">
      <span aria-hidden>{t('multiplier')}</span>
      <Input
        ref={input}
        data-focus={focusName}
        aria-label={t('multiplierOf', { name })}
        inputMode="decimal"
        autoComplete="off"
        readOnly={readOnly}
        className="h-8 w-20 text-right tabular-nums"
        value={typed ?? value}
        onChange={({ target }) => {
          const text = target.value.trim()
          if (!mayStand(text)) return
          setTyped(text)
          onChange(multiplierOf(text))
        }}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          // Enter alone would save the campaign; Alt+Enter is a shortcut.
          if (event.key === 'Enter' && !event.altKey) event.preventDefault()
        }}
      />
    </label>
  )
}
