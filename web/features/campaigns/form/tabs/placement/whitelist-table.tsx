import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { HoverTip } from '@/components/hover-tip'
import { Button } from '@/components/ui/button'
import { formatMinute } from '@/i18n/format'
import { toast } from '@/lib/toast'
import { useFileSize } from '@/features/campaigns/creatives/media-facts'
import { refreshWhitelists, whitelistMutations, type Whitelist } from './whitelist-queries.ts'

type WhitelistTableProps = {
  readonly id: string
  readonly lists: readonly Whitelist[]
  /** False for read-only users, who may still download the lists. */
  readonly canChange: boolean
}

export function WhitelistTable({ id, lists, canChange }: WhitelistTableProps) {
  const { t } = useTranslation('placement')
  const client = useQueryClient()
  const sizeOf = useFileSize()
  const table = useRef<HTMLTableElement>(null)
  const [asked, setAsked] = useState<string | null>(null)
  /** The element to focus after a row is removed. */
  const successor = useRef<HTMLElement | null>(null)
  const removing = useMutation({
    ...whitelistMutations.remove(id),
    onSuccess: (_, name) => toast.success(t('whitelists.removed', { name })),
    onSettled: () => refreshWhitelists(client, id),
  })
  const going = removing.isPending ? removing.variables : null
  const remove = (name: string) => {
    successor.current = successorOf(
      table.current,
      lists.findIndex((list) => list.name === name),
    )
    setAsked(null)
    removing.mutate(name)
  }
  return (
    <>
      <table
        ref={table}
        aria-label={t('whitelists.title')}
        className="text-[0.8125rem]/4.5 w-full table-fixed border-collapse tabular-nums [&_td]:px-3 [&_th]:px-3 [&_th:first-child]:pl-0"
      >
        <thead className="text-muted-foreground text-xs border-border border-b text-left [&_th]:h-9 [&_th]:font-medium">
          <tr>
            <th scope="col">{t('whitelists.name')}</th>
            <th scope="col" className="w-28 text-right">
              {t('whitelists.size')}
            </th>
            <th scope="col" className="w-44">
              {t('whitelists.uploaded')}
            </th>
            <th scope="col" className="w-24">
              <span className="sr-only">{t('whitelists.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lists.map(({ name, size, created_at }) => (
            <tr key={name} aria-busy={name === going} className="border-border h-11 border-b last:border-0 aria-busy:opacity-55">
              <th scope="row" className="py-2 text-left font-medium wrap-anywhere">
                {name}
              </th>
              <td className="text-right">{sizeOf(size)}</td>
              <td className="whitespace-nowrap">
                <time dateTime={created_at}>{formatMinute(created_at)}</time>
              </td>
              <td className="pr-0! text-right whitespace-nowrap">
                <DownloadButton id={id} name={name} />
                {canChange && (
                  <HoverTip text={t('whitelists.remove', { name })}>
                    <Button
                      data-remove
                      variant="ghost"
                      size="icon"
                      aria-label={t('whitelists.remove', { name })}
                      // A disabled button would lose the focus.
                      aria-disabled={going !== null}
                      onClick={() => going === null && setAsked(name)}
                    >
                      <Trash2 aria-hidden />
                    </Button>
                  </HoverTip>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ConfirmDialog
        open={asked !== null}
        title={t('whitelists.confirm.title', { name: asked ?? '' })}
        text={t('whitelists.confirm.text')}
        confirm={t('whitelists.confirm.confirm')}
        cancel={t('whitelists.confirm.cancel')}
        tone="destructive"
        onConfirm={() => asked !== null && remove(asked)}
        onCancel={() => setAsked(null)}
        onCloseAutoFocus={(event) => {
          if (successor.current === null) return
          event.preventDefault()
          successor.current.focus()
          successor.current = null
        }}
      />
    </>
  )
}

/** Returns the button of the next or previous row; without another row, the upload or its container. */
function successorOf(table: HTMLTableElement | null, index: number): HTMLElement | null {
  const buttons = [...(table?.querySelectorAll<HTMLElement>('[data-remove]') ?? [])]
  const upload = table?.parentElement?.querySelector<HTMLElement>('input[type="file"]')
  return buttons[index + 1] ?? buttons[index - 1] ?? upload ?? table?.parentElement ?? null
}

function DownloadButton({ id, name }: { readonly id: string; readonly name: string }) {
  const { t } = useTranslation('placement')
  const { mutate, isPending } = useMutation(whitelistMutations.download(id))
  const label = t('whitelists.download', { name })
  return (
    <HoverTip text={label}>
      <Button variant="ghost" size="icon" aria-label={label} aria-disabled={isPending} onClick={() => !isPending && mutate(name)}>
        <Download aria-hidden />
      </Button>
    </HoverTip>
  )
}
