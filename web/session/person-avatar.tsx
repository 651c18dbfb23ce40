import { useQuery } from '@tanstack/react-query'
import { readPicture } from '#contract/profile'
import { download } from '@/data/client'
import { cn } from '@/lib/utils'

type PersonAvatarProps = {
  readonly name: string
  readonly pictureId: string | null
  readonly className?: string
}

/** A user's picture, or their initials. Pictures need the session's token, so they are not plain image addresses. */
export function PersonAvatar({ name, pictureId, className }: PersonAvatarProps) {
  const { data: url } = useQuery({
    queryKey: ['picture', pictureId],
    queryFn: async ({ signal }) => URL.createObjectURL(await download(readPicture, { params: { id: pictureId ?? '' }, signal })),
    enabled: pictureId !== null,
    staleTime: Infinity,
    retry: false,
  })
  return (
    <span
      aria-hidden
      className={cn(
        'bg-primary-tint text-primary-ink text-xs grid size-8 shrink-0 place-items-center overflow-hidden rounded-full font-semibold',
        className,
      )}
    >
      {url === undefined || pictureId === null ? initials(name) : <img src={url} alt="" className="size-full object-cover" />}
    </span>
  )
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.slice(0, 1))
    .join('')
    .toUpperCase()
