export default function PlacementTab() {
  return null
}
