// What the sample shop sells, and the orders that were placed to try it. In the memory of the process, and only the newest.

type Product = { id: string; name: string; price_cents: number };
type Order = { id: string; product_id: string; quantity: number; total_cents: number };
/** Whose order: a person of one project never sees what another project placed. */
type Person = { project_id: string; member_id: string };

const products: readonly Product[] = [
  { id: 'tea', name: 'Green tea, 100 g', price_cents: 890 },
  { id: 'pot', name: 'Tea pot, 1 l', price_cents: 3400 },
  { id: 'mug', name: 'Mug, blue', price_cents: 1250 },
];

const MAX_PER_PERSON = 20;
const MAX_PEOPLE = 1_000;

export function findProducts(search: string): Product[] {
  return products.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
}

export type Orders = {
  of(person: Person): Order[];
  /** Returns null if there is no such product. */
  place(person: Person, product_id: string, quantity: number): Order | null;
};

export function createOrders(): Orders {
  const by_person = new Map<string, Order[]>();
  let placed = 0;
  const keyOf = ({ project_id, member_id }: Person) => `${project_id} ${member_id}`;
  return {
    of: (person) => by_person.get(keyOf(person)) ?? [],
    place(person, product_id, quantity) {
      const product = products.find(({ id }) => id === product_id);
      if (!product) return null;
      placed += 1;
      const order = { id: `order-${placed}`, product_id, quantity, total_cents: product.price_cents * quantity };
      const key = keyOf(person);
      const orders = [...(by_person.get(key) ?? []), order].slice(-MAX_PER_PERSON);
      // Deleted first, so that the people who ordered last are at the end.
      by_person.delete(key);
      by_person.set(key, orders);
      const [oldest] = by_person.keys();
      if (by_person.size > MAX_PEOPLE && oldest !== undefined) by_person.delete(oldest);
      return order;
    },
  };
}
