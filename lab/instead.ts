/** An object with some of its members replaced, for those who ask it from outside: it goes on by its own. */
export function instead<T extends object>(object: T, members: Partial<T>): T {
  return new Proxy(object, {
    get: (whole, name) => {
      const value: unknown = Reflect.get(name in members ? members : whole, name);
      return typeof value === 'function' ? (value.bind(whole) as unknown) : value;
    },
  });
}
