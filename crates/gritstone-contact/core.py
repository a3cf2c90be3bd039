p='/work/wt/contact/crates/gritstone-core/src/dim.rs'; s=open(p).read()
s=s.replace('''    /// A vector turned.
    fn rotate(''','''    /// A vector given in the axes that are the columns of `frame`.
    fn to_world(frame: &Self::Frame, v: Self::Vec) -> Self::Vec;

    /// A vector in the axes that are the columns of `frame`.
    fn to_body(frame: &Self::Frame, v: Self::Vec) -> Self::Vec;

    /// A vector turned.
    fn rotate(''',1)
for t,m in [("f64","DMat2"),("DQuat","DMat3")]:
    v=m.replace("Mat","Vec")
    arg="angle: f64" if t=="f64" else "rotation: DQuat"
    s=s.replace(f'''    fn rotate({arg}, v''',f'''    #[inline]
    fn to_world(frame: &{m}, v: {v}) -> {v} {{
        *frame * v
    }}

    #[inline]
    fn to_body(frame: &{m}, v: {v}) -> {v} {{
        frame.transpose() * v
    }}

    fn rotate({arg}, v''',1)
open(p,'w').write(s)
