export default function TracksTab() {
  return null
}
