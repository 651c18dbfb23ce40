import { Check, Pencil, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Input } from '@/components/ui/input'
import { Button } from '@/components/ui/button'

type EntryNameProps = {
  readonly id: number
  readonly name: string
  readonly readOnly: boolean
  readonly onRename: (name: string) => void
  readonly focusNext: (...names: readonly string[]) => void
}

/** Shows the name, or an input while it is edited. An empty name cannot be saved. */
export function EntryName({ id, name, readOnly, onRename, focusNext }: EntryNameProps) {
  const { t } = useTranslation('bidding')
  const [typed, setTyped] = useState<string | null>(null)
  const close = () => {
    setTyped(null)
    focusNext(`${id}:rename`)
  }
  const save = () => {
    if (typed === null || typed.trim() === '') return
    onRename(typed)
    close()
  }
  if (typed === null)
    return (
      <div className="flex min-w-0 items-center gap-1">
        <h3 className="min-w-0 font-medium wrap-anywhere">{name}</h3>
        {!readOnly && (
          <Button
            variant="ghost"
            size="icon"
            data-focus={`${id}:rename`}
            aria-label={t('rename', { name })}
            onClick={() => {
              setTyped(name)
              focusNext(`${id}:name`)
            }}
          >
            <Pencil aria-hidden />
          </Button>
        )}
      </div>
    )
  return (
    <div className="flex min-w-0 items-center gap-1">
      <Input
        data-focus={`${id}:name`}
        aria-label={t('name')}
        className="h-8 w-56"
        maxLength={5000}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          event.preventDefault()
          if (event.key === 'Enter') save()
          else close()
        }}
      />
      <Button variant="ghost" size="icon" aria-label={t('saveName')} disabled={typed.trim() === ''} onClick={save}>
        <Check aria-hidden />
      </Button>
      <Button variant="ghost" size="icon" aria-label={t('cancelRename')} onClick={close}>
        <X aria-hidden />
      </Button>
    </div>
  )
}
